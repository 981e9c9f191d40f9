import { expect, test } from 'vitest'
import { findDisguisedName } from './disguised-word.ts'

test.each([
  ['passw0rd_list', 'password'],
  ['openFi1es', 'files'],
  ['g1thub_pull', 'github'],
  ['s3cret', 'secret'],
])('a name with a digit that is read as a letter is found: %s', (name, word) => {
  expect(findDisguisedName(name)?.reason).toBe(`is read as if it had "${word}" and is not spelled so`)
})

test.each(['file1', 'read_v10', 'get_s3_files', 'issue_10', 'sha1_of_file', 'list0', 'mp3_to_text', 'o1_tool'])(
  'a number in a name is none: %s',
  (name) => {
    expect(findDisguisedName(name)).toBeUndefined()
  },
)
