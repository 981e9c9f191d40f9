import type { BackgroundWork } from '../../catalog/background-work.ts'
import { createBackgroundWork } from '../../catalog/background-work.ts'
import type { Catalog, ToolFault } from '../../catalog/catalog.ts'
import { createCatalog } from '../../catalog/catalog.ts'
import { nameProblem } from '../../catalog/schema/look-alike.ts'
import type { SchemaChecker, SchemaVerdict } from '../../catalog/schema.ts'
import { createSchemaChecker } from '../../catalog/schema.ts'
import { createSearchIndex } from '../../catalog/search/create-search-index.ts'
import type { SearchIndex } from '../../catalog/search/search-index.ts'
import type { ToolDefinition } from '../../catalog/tool.ts'

export interface CatalogParts {
  readonly catalog: Catalog
  readonly index: SearchIndex
  readonly schemas: SchemaChecker
  /** What takes long lists of tools; ended by who closes the sources. */
  readonly work: BackgroundWork
}

/** One catalog, one index, one schema checker and one place for long work for the process. */
export function buildCatalog(now: () => number): CatalogParts {
  const schemas = createSchemaChecker()
  const index = createSearchIndex()
  const work = createBackgroundWork()
  const catalog = createCatalog({ index, findFault: (definition, id) => findFault(definition, id, schemas), now, work })
  return { catalog, index, schemas, work }
}

/** Why a tool is quarantined: its name could be taken for another's, or its schema cannot be enforced. */
function findFault(definition: ToolDefinition, id: string, schemas: SchemaChecker): string | ToolFault | undefined {
  const problem = nameProblem(definition.name, id)
  if (problem !== undefined) return problem
  const input = schemas.inspect(definition.inputSchema, 'input')
  if (input.kind === 'quarantined') return schemaFault('input', input)
  if (definition.outputSchema === undefined) return undefined
  const output = schemas.inspect(definition.outputSchema, 'output')
  return output.kind === 'quarantined' ? schemaFault('output', output) : undefined
}

function schemaFault(
  schema: 'input' | 'output',
  { reason, keyword, path }: Extract<SchemaVerdict, { readonly kind: 'quarantined' }>,
): ToolFault {
  return {
    reason: `${schema} schema: ${reason}`,
    schema,
    ...(keyword !== undefined && { keyword }),
    ...(path !== undefined && { path }),
  }
}
