import { gunzipSync, gzipSync } from 'node:zlib'
import type { RunRecording } from '../../bridge/running/run-program.ts'
import type { Seal } from '../state/seal.ts'

/** What a run is replayed from, whole: sealed, since the answers of tools may hold anything. */
export interface Recordings {
  toText(recording: RunRecording, runId: string): string
  fromText(text: string, runId: string): RunRecording
}

/** Compressed, then sealed for the one run, so that no row can stand in for another. */
export function createRecordings(seal: Seal): Recordings {
  return {
    toText: (recording, runId) =>
      Buffer.from(seal.seal(gzipSync(JSON.stringify(recording)), purposeOf(runId))).toString('base64'),
    fromText(text, runId) {
      const recording: RunRecording = JSON.parse(
        gunzipSync(seal.open(Buffer.from(text, 'base64'), purposeOf(runId))).toString('utf8'),
      )
      return recording
    },
  }
}

function purposeOf(runId: string): string {
  return `run:${runId}`
}
