import type { PluginApi, Static } from '../../sdk.ts'
import { Type } from '../../sdk.ts'
import type { Collection } from './collection.ts'
import { createCollection, matchesWords } from './collection.ts'
import { ADDS, Limit, READS, REMOVES, Timestamp, firstOf } from './schema.ts'

const EXCERPT_LENGTH = 80

const Folder = Type.Enum(['handbook', 'minutes', 'policies', 'runbooks'])
const DocumentId = Type.String({ pattern: '^doc-[0-9]+$', description: 'Id of a document, e.g. doc-1.' })

const Document = Type.Object({
  id: DocumentId,
  title: Type.String(),
  folder: Folder,
  text: Type.String(),
  updated_at: Timestamp,
})

export type CompanyDocument = Static<typeof Document>

interface Library {
  readonly documents: Collection<CompanyDocument>
  /** Unix milliseconds. */
  readonly now: () => number
}

export function createDocuments(): Collection<CompanyDocument> {
  return createCollection({ noun: 'document', finder: 'search_documents', idPrefix: 'doc-', seed: DOCUMENTS })
}

export function registerDocumentTools(api: PluginApi, library: Library): void {
  registerSearchDocuments(api, library)
  registerReadDocument(api, library)
  registerCreateDocument(api, library)
  registerDeleteDocument(api, library)
}

function registerSearchDocuments(api: PluginApi, { documents }: Library): void {
  api.registerTool({
    name: 'search_documents',
    title: 'Search documents',
    description:
      'Finds company documents (policies, handbook pages, runbooks, minutes) by words; read_document gives the whole text.',
    parameters: Type.Object(
      { query: Type.String({ minLength: 1, maxLength: 200 }), folder: Type.Optional(Folder), limit: Limit },
      { additionalProperties: false },
    ),
    outputSchema: Type.Object({
      documents: Type.Array(
        Type.Object({ id: DocumentId, title: Type.String(), folder: Folder, excerpt: Type.String() }),
      ),
      total: Type.Integer({ minimum: 0 }),
    }),
    annotations: READS,
    examples: [{ query: 'parental leave' }, { query: 'on call', folder: 'runbooks' }],
    execute: ({ query, folder, limit }) => {
      const found = documents
        .all()
        .filter((document) => folder === undefined || document.folder === folder)
        .filter((document) => matchesWords(query, [document.title, document.text]))
      const rows = found.map(({ id, title, folder, text }) => ({ id, title, folder, excerpt: cut(text) }))
      return { documents: firstOf(rows, limit), total: rows.length }
    },
  })
}

function registerReadDocument(api: PluginApi, { documents }: Library): void {
  api.registerTool({
    name: 'read_document',
    title: 'Read document',
    description: 'The whole text of one company document, by id.',
    parameters: Type.Object({ id: DocumentId }, { additionalProperties: false }),
    outputSchema: Document,
    annotations: READS,
    examples: [{ id: 'doc-2' }],
    execute: ({ id }) => documents.get(id),
  })
}

function registerCreateDocument(api: PluginApi, { documents, now }: Library): void {
  api.registerTool({
    name: 'create_document',
    title: 'Create document',
    description: 'Writes a new company document into a folder. Titles are unique in their folder.',
    parameters: Type.Object(
      {
        title: Type.String({ minLength: 1, maxLength: 120 }),
        folder: Folder,
        text: Type.String({ minLength: 1, maxLength: 20_000 }),
      },
      { additionalProperties: false },
    ),
    outputSchema: Document,
    annotations: ADDS,
    examples: [{ title: 'Leads, 1 December', folder: 'minutes', text: 'Renewals are on track.' }],
    execute: (args) => {
      const same = documents.all().find(({ folder, title }) => folder === args.folder && title === args.title)
      if (same !== undefined) throw new Error(`${args.folder} already has "${args.title}" (${same.id})`)
      return documents.add((id) => ({ id, ...args, updated_at: new Date(now()).toISOString() }))
    },
  })
}

function registerDeleteDocument(api: PluginApi, { documents }: Library): void {
  api.registerTool({
    name: 'delete_document',
    title: 'Delete document',
    description: 'Deletes a company document for good.',
    parameters: Type.Object({ id: DocumentId }, { additionalProperties: false }),
    outputSchema: Type.Object({ deleted: Type.Object({ id: DocumentId, title: Type.String() }) }),
    annotations: REMOVES,
    examples: [{ id: 'doc-4' }],
    execute: ({ id }) => {
      const { title } = documents.remove(id)
      return { deleted: { id, title } }
    },
  })
}

function cut(text: string): string {
  return text.length <= EXCERPT_LENGTH ? text : `${text.slice(0, EXCERPT_LENGTH - 1)}…`
}

const DOCUMENTS: readonly CompanyDocument[] = [
  {
    id: 'doc-1',
    title: 'Travel and expenses',
    folder: 'policies',
    text: 'Trips under 800 EUR need no approval. Receipts are due within 14 days. Trains before planes where the journey is under six hours.',
    updated_at: '2026-03-02T09:00:00Z',
  },
  {
    id: 'doc-2',
    title: 'Parental leave',
    folder: 'handbook',
    text: 'Parents take up to 49 weeks at full pay in Norway and 150 days in Portugal. Tell your manager and the people team ten weeks ahead.',
    updated_at: '2026-01-19T14:30:00Z',
  },
  {
    id: 'doc-3',
    title: 'Importer on call',
    folder: 'runbooks',
    text: 'When imports stop: look at the queue, pause the tenant, keep the file, tell support within 30 minutes, and never retry a file twice.',
    updated_at: '2026-08-11T16:05:00Z',
  },
  {
    id: 'doc-4',
    title: 'Leads, 24 November',
    folder: 'minutes',
    text: 'Halvorsen renews if the importer is stable by January. Hall 3 trackers to be replaced. Budget review moves to December.',
    updated_at: '2026-11-24T11:00:00Z',
  },
]
