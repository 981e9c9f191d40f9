import { createRedactor } from '../../../bridge/redact.ts'
import type { CliDeps } from '../cli-deps.ts'
import { knownFailure } from '../known-failure.ts'
import type { StoreFlags } from '../stopped-store.ts'
import { checkConfiguration } from './check-configuration.ts'
import { checkFiles } from './check-files.ts'
import { checkGateway } from './check-gateway.ts'
import { checkPort } from './check-port.ts'
import { checkProviders } from './check-providers.ts'
import { checkSandbox } from './check-sandbox.ts'
import { checkSources } from './check-sources.ts'
import { checkStateDirectory } from './check-state-directory.ts'
import { checkStore } from './check-store.ts'
import type { CheckName, DoctorFinding } from './doctor-finding.ts'
import { examine } from './examined.ts'

/** Every check, in the order in which a start would meet what is wrong. Nothing of a secret stands in what it says. */
export async function runChecks(
  flags: StoreFlags & { readonly fix?: true },
  deps: CliDeps,
): Promise<readonly DoctorFinding[]> {
  const examined = await examine(flags, deps)
  const found = await Promise.all([
    checked('configuration', checkConfiguration(examined)),
    checked('gateway', checkGateway(examined)),
    checked('files', checkStateDirectory(examined)),
    checked('files', checkFiles(examined, flags.fix ? 'mend' : 'look')),
    checked('store', checkStore(examined)),
    checked('port', checkPort(examined)),
    checked('sandbox', checkSandbox(examined)),
    checked('mcp', checkSources(examined)),
    checked('provider', checkProviders(examined)),
  ])
  const { loaded } = examined
  const known = loaded.kind === 'read' ? { patterns: loaded.config.redact.patterns, secrets: loaded.secrets } : NOTHING
  const redactor = createRedactor(known)
  return found.flat().map((finding) => ({ ...finding, message: redactor.text(finding.message) }))
}

/** A check that cannot be made is a finding of its own, and costs none of the others. */
async function checked(
  check: CheckName,
  findings: Promise<readonly DoctorFinding[]>,
): Promise<readonly DoctorFinding[]> {
  try {
    return await findings
  } catch (error) {
    const reason = error instanceof Error ? (knownFailure(error) ?? error).message : String(error)
    return [{ check, level: 'problem', message: `this could not be checked: ${reason}` }]
  }
}

const NOTHING = { patterns: [], secrets: [] }
