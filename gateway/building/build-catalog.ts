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
}

/** One catalog, one index and one schema checker for the process. */
export function buildCatalog(now: () => number): CatalogParts {
  const schemas = createSchemaChecker()
  const index = createSearchIndex()
  const catalog = createCatalog({ index, findFault: (definition, id) => findFault(definition, id, schemas), now })
  return { catalog, index, schemas }
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
