import { createRedactor } from '../../../bridge/redact.ts'
import type { CliDeps } from '../cli-deps.ts'
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
import type { DoctorFinding } from './doctor-finding.ts'
import { examine } from './examined.ts'

/** Every check, in the order in which a start would meet what is wrong. Nothing of a secret stands in what it says. */
export async function runChecks(
  flags: StoreFlags & { readonly fix?: true },
  deps: CliDeps,
): Promise<readonly DoctorFinding[]> {
  const examined = await examine(flags, deps)
  const found = await Promise.all([
    checkConfiguration(examined),
    checkGateway(examined),
    checkStateDirectory(examined),
    checkFiles(examined, flags.fix ? 'mend' : 'look'),
    checkStore(examined),
    checkPort(examined),
    checkSandbox(examined),
    checkSources(examined),
    checkProviders(examined),
  ])
  const { loaded } = examined
  const known = loaded.kind === 'read' ? { patterns: loaded.config.redact.patterns, secrets: loaded.secrets } : NOTHING
  const redactor = createRedactor(known)
  return found.flat().map((finding) => ({ ...finding, message: redactor.text(finding.message) }))
}

const NOTHING = { patterns: [], secrets: [] }
