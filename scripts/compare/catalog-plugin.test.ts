import { expect, test } from 'vitest'
import { createSchemaChecker } from '../../catalog/schema.ts'
import { catalogTools, TOOLS_MAX_COUNT } from './catalog-plugin.ts'
import { TASK } from './task.ts'

test('every catalog has as many tools as were asked for, each name once, and the task among them', () => {
  for (const count of [1, 2, 36, TOOLS_MAX_COUNT]) {
    const names = catalogTools(count).map((tool) => tool.name)
    expect(new Set(names).size).toBe(count)
    expect(names.filter((name) => name === TASK.tool)).toHaveLength(1)
  }
})

test('the schemas can be enforced, and the task has valid arguments', () => {
  const schemas = createSchemaChecker()
  const tools = catalogTools(300)
  const unsound = tools.filter((tool) => schemas.inspect(tool.parameters).kind !== 'sound')
  expect(unsound).toEqual([])
  const target = tools.find((tool) => tool.name === TASK.tool)
  expect(schemas.validate(target?.parameters ?? {}, 'target', TASK.args).kind).toBe('valid')
})
