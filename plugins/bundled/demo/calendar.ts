import type { PluginApi, Static } from '../../sdk.ts'
import { Type } from '../../sdk.ts'
import type { Collection } from './collection.ts'
import { createCollection } from './collection.ts'
import { findFreeSlots, overlaps } from './free-slots.ts'
import type { Person } from './people.ts'
import { PersonId } from './people.ts'
import { ADDS, Day, READS, REMOVES, Timestamp } from './schema.ts'

/** A meeting of more than a day is a mistake in a date. */
const EVENT_MAX_MS = 24 * 60 * 60_000

const EventId = Type.String({ pattern: '^evt-[0-9]+$', description: 'Id of an event, e.g. evt-2.' })

const Event = Type.Object({
  id: EventId,
  title: Type.String(),
  start: Timestamp,
  end: Timestamp,
  attendee_ids: Type.Array(PersonId),
  location: Type.Optional(Type.String()),
})

export type CalendarEvent = Static<typeof Event>

interface Calendar {
  readonly events: Collection<CalendarEvent>
  readonly people: Collection<Person>
}

export function createEvents(): Collection<CalendarEvent> {
  return createCollection({ noun: 'event', finder: 'list_events', idPrefix: 'evt-', seed: EVENTS })
}

export function registerCalendarTools(api: PluginApi, calendar: Calendar): void {
  registerListEvents(api, calendar)
  registerCreateEvent(api, calendar)
  registerCancelEvent(api, calendar)
  registerFindFreeSlots(api, calendar)
}

function registerListEvents(api: PluginApi, { events, people }: Calendar): void {
  api.registerTool({
    name: 'list_events',
    title: 'List calendar events',
    description:
      'Calendar events and meetings from one day to another, both included, in order of start; for one person or all.',
    parameters: Type.Object(
      { from: Day, to: Day, person_id: Type.Optional(PersonId) },
      { additionalProperties: false },
    ),
    outputSchema: Type.Object({ events: Type.Array(Event) }),
    annotations: READS,
    examples: [{ from: '2026-12-01', to: '2026-12-05', person_id: 'per-2' }],
    execute: ({ from, to, person_id: personId }) => {
      if (to < from) throw new Error(`"to" (${to}) is before "from" (${from})`)
      if (personId !== undefined) people.get(personId)
      const inRange = events
        .all()
        .filter((event) => event.start.slice(0, 10) <= to && event.end.slice(0, 10) >= from)
        .filter((event) => personId === undefined || event.attendee_ids.includes(personId))
      return { events: inRange.toSorted((a, b) => Date.parse(a.start) - Date.parse(b.start)) }
    },
  })
}

function registerCreateEvent(api: PluginApi, { events, people }: Calendar): void {
  api.registerTool({
    name: 'create_event',
    title: 'Create calendar event',
    description:
      'Books a meeting in the calendar of everyone who attends. Refused, with the event in the way, when someone is already booked; find_free_slots shows when all are free.',
    parameters: Type.Object(
      {
        title: Type.String({ minLength: 1, maxLength: 120 }),
        start: Timestamp,
        end: Timestamp,
        attendee_ids: Type.Array(PersonId, { minItems: 1, maxItems: 50, uniqueItems: true }),
        location: Type.Optional(Type.String({ maxLength: 120 })),
      },
      { additionalProperties: false },
    ),
    outputSchema: Event,
    annotations: ADDS,
    examples: [
      {
        title: 'Budget review',
        start: '2026-12-03T13:00:00Z',
        end: '2026-12-03T13:30:00Z',
        attendee_ids: ['per-3', 'per-8'],
      },
    ],
    execute: (args) => {
      const start = toUtc(args.start)
      const end = toUtc(args.end)
      const lengthMs = Date.parse(end) - Date.parse(start)
      if (lengthMs <= 0) throw new Error(`"end" (${args.end}) is not after "start" (${args.start})`)
      if (lengthMs > EVENT_MAX_MS) throw new Error('an event can last 24 hours at most')
      for (const id of args.attendee_ids) {
        const attendee = people.get(id)
        const taken = events.all().find((event) => event.attendee_ids.includes(id) && overlaps(event, { start, end }))
        if (taken !== undefined) {
          throw new Error(
            `${attendee.name} (${id}) is booked by ${taken.id} "${taken.title}", ${taken.start} to ${taken.end}`,
          )
        }
      }
      return events.add((id) => ({ ...args, id, start, end }))
    },
  })
}

function registerCancelEvent(api: PluginApi, { events }: Calendar): void {
  api.registerTool({
    name: 'cancel_event',
    title: 'Cancel calendar event',
    description: 'Takes a meeting out of the calendar of everyone who attends. It cannot be brought back.',
    parameters: Type.Object({ id: EventId }, { additionalProperties: false }),
    outputSchema: Type.Object({ cancelled: Event }),
    annotations: REMOVES,
    examples: [{ id: 'evt-3' }],
    execute: ({ id }) => ({ cancelled: events.remove(id) }),
  })
}

function registerFindFreeSlots(api: PluginApi, { events, people }: Calendar): void {
  api.registerTool({
    name: 'find_free_slots',
    title: 'Find free slots',
    description:
      'When several people are all free on a day, between 08:00 and 17:00 UTC, for a meeting of some length.',
    parameters: Type.Object(
      {
        day: Day,
        minutes: Type.Integer({ minimum: 15, maximum: 480, multipleOf: 15, description: 'Length of the meeting.' }),
        person_ids: Type.Array(PersonId, { minItems: 1, maxItems: 50, uniqueItems: true }),
      },
      { additionalProperties: false },
    ),
    outputSchema: Type.Object({ slots: Type.Array(Type.Object({ start: Timestamp, end: Timestamp })) }),
    annotations: READS,
    examples: [{ day: '2026-12-02', minutes: 60, person_ids: ['per-2', 'per-6'] }],
    execute: ({ day, minutes, person_ids: ids }) => {
      for (const id of ids) people.get(id)
      const busy = events.all().filter((event) => event.attendee_ids.some((id) => ids.includes(id)))
      return { slots: findFreeSlots({ day, minutes, busy }) }
    },
  })
}

/** One zone for all, so that days and order can be compared. */
function toUtc(timestamp: string): string {
  return new Date(timestamp).toISOString().replace('.000Z', 'Z')
}

const EVENTS: readonly CalendarEvent[] = [
  {
    id: 'evt-1',
    title: 'Weekly leads',
    start: '2026-12-01T09:00:00Z',
    end: '2026-12-01T10:00:00Z',
    attendee_ids: ['per-1', 'per-2', 'per-3', 'per-4', 'per-5'],
    location: 'Fjord',
  },
  {
    id: 'evt-2',
    title: 'Importer design',
    start: '2026-12-01T13:00:00Z',
    end: '2026-12-01T14:30:00Z',
    attendee_ids: ['per-2', 'per-6', 'per-7'],
  },
  {
    id: 'evt-3',
    title: 'Halvorsen renewal',
    start: '2026-12-02T08:30:00Z',
    end: '2026-12-02T09:15:00Z',
    attendee_ids: ['per-4', 'per-9'],
    location: 'phone',
  },
  {
    id: 'evt-4',
    title: 'Month-end close',
    start: '2026-12-02T11:00:00Z',
    end: '2026-12-02T15:00:00Z',
    attendee_ids: ['per-3', 'per-8'],
    location: 'Tejo',
  },
  {
    id: 'evt-5',
    title: 'Support rota',
    start: '2026-12-03T14:00:00Z',
    end: '2026-12-03T14:30:00Z',
    attendee_ids: ['per-5', 'per-10'],
  },
]
