import type { SchemaNode } from '../../schema/schema-node.ts'

/**
 * The schema of what people write, made from that of what the gateway uses: whatever has a default may be left out,
 * and a secret may be a reference.
 */
export function fileSchemaOf(node: SchemaNode): SchemaNode {
  if (node['x-secret'] === 'value') return withReferences(node, secretText)
  const isMap = node['x-secret'] === 'fields'
  return {
    ...node,
    ...(node.properties && { properties: mapValues(node.properties, fileSchemaOf) }),
    ...(node.required && { required: node.required.filter((key) => node.properties?.[key]?.default === undefined) }),
    ...(node.patternProperties && {
      patternProperties: mapValues(node.patternProperties, (value) =>
        // A plugin's own configuration (any JSON) may hold objects with a `file`: only strings are references there.
        isMap && value.type === 'string' ? withReferences(value, fieldText) : fileSchemaOf(value),
      ),
    }),
    ...(node.items && { items: fileSchemaOf(node.items) }),
    ...(node.anyOf && { anyOf: node.anyOf.map(fileSchemaOf) }),
  }
}

function withReferences({ type: _type, minLength: _minLength, ...node }: SchemaNode, text: SchemaNode): SchemaNode {
  const expected = 'a string, { file } or { command }'
  return { ...node, 'x-secret': 'value', 'x-expected': expected, anyOf: [text, ...elsewhere] }
}

function mapValues(nodes: Readonly<Record<string, SchemaNode>>, change: (node: SchemaNode) => SchemaNode) {
  return Object.fromEntries(Object.entries(nodes).map(([key, node]) => [key, change(node)]))
}

/** A variable or header may be there and say nothing: templates of servers are full of `API_KEY: ""`. */
const fieldText: SchemaNode = {
  type: 'string',
  description: 'The value; `${NAME}` stands for an environment variable.',
}

const secretText: SchemaNode = { ...fieldText, minLength: 1 }

const elsewhere: readonly SchemaNode[] = [
  {
    type: 'object',
    properties: { file: { type: 'string', minLength: 1, description: 'File that holds it, relative to this one.' } },
    required: ['file'],
    additionalProperties: false,
  },
  {
    type: 'object',
    properties: {
      command: { type: 'array', items: { type: 'string' }, minItems: 1, description: 'Program that prints it.' },
    },
    required: ['command'],
    additionalProperties: false,
  },
]
