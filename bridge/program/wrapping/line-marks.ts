import type { Notice } from '../../outcome.ts'
import type { Span } from '../parsing/parse-program.ts'
import type { Taken } from './tags.ts'

interface Line extends Span {
  readonly text: string
}

/** Marks in front of each line, where what is behind them is a program: numbers, the signs of a diff, prompts. */
export function takeLineMarks(text: string, isCode: (text: string) => boolean): Taken | undefined {
  const lines = [...text.matchAll(/[^\n]+/g)]
    .filter(([line]) => line.trim() !== '')
    .map(({ 0: line, index }) => ({ text: line, start: index, end: index + line.length }))
  for (const read of [numbered, added, prompted]) {
    const spans = read(lines)
    const program = spans?.map(({ start, end }) => text.slice(start, end)).join('\n') ?? ''
    // A list of single words would be a program too.
    if (spans !== undefined && /[=(){};]|\breturn\b/.test(program) && isCode(program)) return { spans, notice: NOTICE }
  }
  return undefined
}

const NOTICE: Notice = {
  code: 'marks-removed',
  message: 'numbers or signs in front of the lines were left out; send the program alone',
}

/** `1: `, `  12 | `, `3→`, as files are shown. */
const NUMBER = /^[ \t]{0,8}L?(\d{1,5})(?:[ \t]?[:|│→.)]|[ \t])[ \t]?/

function numbered(lines: readonly Line[]): readonly Span[] | undefined {
  const marks = lines.map(({ text }) => NUMBER.exec(text))
  const first = Number(marks[0]?.[1])
  const isRow = marks.every((mark, index) => mark !== null && Number(mark[1]) === first + index)
  return isRow ? lines.map((line, index) => behind(line, marks[index]?.[0].length ?? 0)) : undefined
}

const DIFF_HEAD = /^(?:diff --git |index [\da-f]|--- |\+\+\+ |@@ |\*\*\* )/

/** What a diff adds and what it leaves; without its head, only where every line is added. */
function added(lines: readonly Line[]): readonly Span[] | undefined {
  const body = lines.filter(({ text }) => !DIFF_HEAD.test(text))
  const marks = body.length < lines.length ? '+- ' : '+'
  if (!body.every(({ text }) => marks.includes(text[0] ?? '')) || !body.some(({ text }) => text.startsWith('+')))
    return undefined
  return body.filter(({ text }) => !text.startsWith('-')).map((line) => behind(line, 1))
}

/** `>>> `, `... `, `In [1]: `; what such a prompt put out is left out. */
const PROMPT = /^[ \t]{0,3}(?:(?:In|Out) ?\[\d{0,4}\]:|[a-z]{0,10}>{1,3}|\.{3}:?)(?:[ \t]|$)/

function prompted(lines: readonly Line[]): readonly Span[] | undefined {
  const marks = lines.map(({ text }) => PROMPT.exec(text)?.[0])
  if (marks.includes(undefined)) return undefined
  return lines.flatMap((line, index) => {
    const mark = marks[index] ?? ''
    return mark.startsWith('Out') ? [] : [behind(line, mark.length)]
  })
}

function behind({ start, end }: Line, length: number): Span {
  return { start: start + length, end }
}
