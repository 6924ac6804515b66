import { type Diagnostic, hasErrors, warningDiagnostic } from '@terrane/hcl';
import type { EncryptionConfiguration, TargetBlock } from './configuration.ts';
import { UNENCRYPTED } from './kinds.ts';
import { PlanEncryption } from './plan-encryption.ts';
import type { EncryptionPorts } from './setup.ts';
import { StateEncryption } from './state-encryption.ts';
import { methodsOf } from './target-methods.ts';
import { TargetEncryption } from './target-encryption.ts';

/** The encryption settings of a configuration; kinds that it does not mention are stored unencrypted. */
export interface Encryption {
  readonly state?: StateEncryption | undefined;
  readonly plan?: PlanEncryption | undefined;
  /**
   * returns the encryption of a state that a `terraform_remote_state` reads: its name without the mode and type, as
   * `a[0]` or `m.a`
   */
  remoteState(name: string): StateEncryption | undefined;
  /**
   * Obtains the encryption keys of all kinds of files or of one, and returns diagnostics for keys that are not
   * available.
   */
  prepare(kind?: 'state' | 'plan'): Promise<readonly Diagnostic[]>;
}

/**
 * Opens the encryption of a configuration; undefined, with diagnostics, if it is invalid. Keys are requested on first
 * use.
 */
export async function openEncryption(
  configuration: EncryptionConfiguration,
  ports: EncryptionPorts,
): Promise<{ readonly encryption?: Encryption; readonly diagnostics: readonly Diagnostic[] }> {
  const diagnostics: Diagnostic[] = [];
  for (const { type } of configuration.methods) {
    if (type !== UNENCRYPTED) continue;
    diagnostics.push(
      warningDiagnostic(
        'Unencrypted method configured',
        'Method unencrypted is present in configuration. This is a security risk and should only be enabled during migrations.',
        configuration.range,
      ),
    );
  }
  const targets: TargetEncryption[] = [];
  const open = async (
    target: TargetBlock | undefined,
    name: string,
  ): Promise<TargetEncryption | undefined> => {
    if (target === undefined) return undefined;
    const methods = methodsOf(configuration, target, diagnostics);
    if (methods.length === 0) return undefined;
    const opened = new TargetEncryption(configuration, name, methods, ports);
    diagnostics.push(...(await opened.check()));
    targets.push(opened);
    return opened;
  };
  const stateOf = (target: TargetEncryption | undefined): StateEncryption | undefined =>
    target === undefined ? undefined : new StateEncryption(target, ports.host);
  const state = stateOf(await open(configuration.state, 'state'));
  const plan = await open(configuration.plan, 'plan');
  const remoteDefault = stateOf(await open(configuration.remoteDefault, 'remote.default'));
  const remotes = new Map<string, StateEncryption | undefined>();
  for (const [name, target] of configuration.remotes) {
    const known = `remote.remote_state_datasource.${name}`;
    remotes.set(name, stateOf(await open(target, known)));
  }
  if (hasErrors(diagnostics)) return { diagnostics };
  const encryption: Encryption = {
    state,
    plan: plan === undefined ? undefined : new PlanEncryption(plan),
    remoteState: (name) => (remotes.has(name) ? remotes.get(name) : remoteDefault),
    async prepare(kind) {
      const diagnostics: Diagnostic[] = [];
      for (const target of targets) {
        if (kind === undefined || target.name === kind)
          diagnostics.push(...(await target.prepare()));
      }
      return diagnostics;
    },
  };
  return { encryption, diagnostics };
}
