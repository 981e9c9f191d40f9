import type { PluginApi, Static } from '../../sdk.ts'
import { Type } from '../../sdk.ts'
import type { Collection } from './collection.ts'
import { createCollection, matchesWords } from './collection.ts'
import { Limit, READS, firstOf } from './schema.ts'

const Department = Type.Enum(['engineering', 'finance', 'operations', 'people', 'sales', 'support'])

export const PersonId = Type.String({ pattern: '^per-[0-9]+$', description: 'Id of a person, e.g. per-3.' })

const Person = Type.Object({
  id: PersonId,
  name: Type.String(),
  email: Type.String({ format: 'email' }),
  title: Type.String(),
  department: Department,
  manager_id: Type.Optional(PersonId),
  office: Type.Enum(['Bergen', 'Lisbon', 'remote']),
})

export type Person = Static<typeof Person>

export function createPeople(): Collection<Person> {
  return createCollection({ noun: 'person', finder: 'search_people', idPrefix: 'per-', seed: PEOPLE })
}

export function registerPeopleTools(api: PluginApi, people: Collection<Person>): void {
  api.registerTool({
    name: 'search_people',
    title: 'Search people',
    description: 'Finds employees by name, job title, e-mail or department, and gives their ids.',
    parameters: Type.Object(
      {
        query: Type.Optional(Type.String({ maxLength: 200, description: 'Words of a name, title or e-mail.' })),
        department: Type.Optional(Department),
        limit: Limit,
      },
      { additionalProperties: false },
    ),
    outputSchema: Type.Object({ people: Type.Array(Person), total: Type.Integer({ minimum: 0 }) }),
    annotations: READS,
    examples: [{ query: 'ines' }, { department: 'finance' }],
    execute: ({ query = '', department, limit }) => {
      const found = people
        .all()
        .filter((person) => department === undefined || person.department === department)
        .filter((person) => matchesWords(query, [person.name, person.title, person.email, person.department]))
      return { people: firstOf(found, limit), total: found.length }
    },
  })
  api.registerTool({
    name: 'get_person',
    title: 'Get person',
    description: 'One employee with manager and direct reports, by id.',
    parameters: Type.Object({ id: PersonId }, { additionalProperties: false }),
    outputSchema: Type.Object({
      person: Person,
      manager: Type.Optional(Person),
      reports: Type.Array(Person),
    }),
    annotations: READS,
    examples: [{ id: 'per-2' }],
    execute: ({ id }) => {
      const person = people.get(id)
      const reports = people.all().filter((other) => other.manager_id === id)
      const manager = person.manager_id === undefined ? {} : { manager: people.get(person.manager_id) }
      return { person, ...manager, reports }
    },
  })
}

type Seed = Omit<Person, 'id' | 'email'>

const SEED: readonly Seed[] = [
  { name: 'Marit Solberg', title: 'Managing director', department: 'operations', office: 'Bergen' },
  {
    name: 'Ines Carvalho',
    title: 'Head of engineering',
    department: 'engineering',
    office: 'Lisbon',
    manager_id: 'per-1',
  },
  { name: 'Tomas Lindqvist', title: 'Head of finance', department: 'finance', office: 'Bergen', manager_id: 'per-1' },
  { name: 'Priya Raman', title: 'Head of sales', department: 'sales', office: 'remote', manager_id: 'per-1' },
  { name: 'Jonas Eide', title: 'Support lead', department: 'support', office: 'Bergen', manager_id: 'per-1' },
  {
    name: 'Beatriz Nunes',
    title: 'Software engineer',
    department: 'engineering',
    office: 'Lisbon',
    manager_id: 'per-2',
  },
  { name: 'Oskar Dahl', title: 'Software engineer', department: 'engineering', office: 'remote', manager_id: 'per-2' },
  { name: 'Helena Matos', title: 'Accountant', department: 'finance', office: 'Lisbon', manager_id: 'per-3' },
  { name: 'Kwame Boateng', title: 'Account manager', department: 'sales', office: 'remote', manager_id: 'per-4' },
  { name: 'Sofie Haugen', title: 'Support engineer', department: 'support', office: 'Bergen', manager_id: 'per-5' },
  { name: 'Rui Teixeira', title: 'People partner', department: 'people', office: 'Lisbon', manager_id: 'per-1' },
  {
    name: 'Anneke de Wit',
    title: 'Warehouse planner',
    department: 'operations',
    office: 'Bergen',
    manager_id: 'per-1',
  },
]

const PEOPLE: readonly Person[] = SEED.map((seed, at) => ({
  id: `per-${at + 1}`,
  email: `${seed.name.toLowerCase().replaceAll(' ', '.')}@fernway.example`,
  ...seed,
}))
