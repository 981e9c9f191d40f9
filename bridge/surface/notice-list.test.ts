import { expect, test } from 'vitest'
import { NOTICES_OF_A_KIND } from '../limits.ts'
import { NoticeList } from './notice-list.ts'

test('the same notice is told once', () => {
  const list = new NoticeList()
  list.add([{ code: 'a', message: 'x' }])
  list.add([
    { code: 'a', message: 'x' },
    { code: 'b', message: 'x' },
  ])
  expect(list.all()).toEqual([
    { code: 'a', message: 'x' },
    { code: 'b', message: 'x' },
  ])
})

test('of many of a kind the first few are told, and that there were more', () => {
  const list = new NoticeList()
  for (let n = 0; n < 1_000; n += 1) list.add([{ code: 'argument-repaired', message: `${n}` }])
  list.add([{ code: 'other', message: 'y' }])
  const all = list.all()
  expect(all).toHaveLength(NOTICES_OF_A_KIND + 2)
  expect(all.at(-2)?.message).toContain('there were more of the kind')
  expect(all.at(-1)).toEqual({ code: 'other', message: 'y' })
})
