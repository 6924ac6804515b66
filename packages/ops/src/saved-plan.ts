import {
  decodePlanFile,
  encodePlanFile,
  isOpenCreate,
  PlanFileError,
  type Configuration,
  type InputValue,
  type Plan,
  type PlanFile,
  type ReadState,
} from '@terrane/engine';
import type { Encryption } from '@terrane/encryption';
import { errorDiagnostic, hasErrors, Source, type Diagnostic } from '@terrane/hcl';
import { userErrorText, programCommand } from '@terrane/host';
import { moduleManifestText } from '@terrane/registry/module-manifest';
import { MODULES, modulesOf } from './configuration-snapshot.ts';
import { openEncryptionOf } from './encryption.ts';
import { loadRootModule, loadWithConstants } from './load-project.ts';
import type { Outcome } from './locked-state.ts';
import { openProviders } from './open-providers.ts';
import type { MadePlan } from './made-plan.ts';
import { recordsOf } from './module-manifest.ts';
import type { Project } from './project.ts';
import type { Providers } from './providers.ts';
import { MANY_INSTANCES, type ReadyRun } from './run/ready-run.ts';

/** The error for a file without a Terrane plan; `message` describes its content. */
export class NoPlanFile extends Error {
  /** true for a plan of another program or a damaged plan, which can be identified as a plan */
  readonly isPlan: boolean;

  constructor(message: string, isPlan: boolean) {
    super(message);
    this.isPlan = isPlan;
  }
}

/** Writes a plan where only its owner can read it: it holds secrets in clear. */
export async function savePlan(
  run: ReadyRun,
  planned: MadePlan,
  path: string,
): Promise<readonly Diagnostic[]> {
  if (planned.plan.changes.length > MANY_INSTANCES) await run.project.host.limitHeapGrowth?.();
  const plain = encodePlanFile(withModules(planned.plan), {
    workspace: run.opened.workspace,
    backend: run.opened.saved?.type ?? 'local',
    backendConfig: run.opened.saved?.config,
    lineage: planned.base?.lineage ?? '',
    serial: planned.base?.serial ?? 0,
    interrupted: openCreates(run.storedState),
  });
  try {
    const bytes = (await run.opened.encryption?.plan?.encode(plain)) ?? plain;
    await run.project.host.files.replaceFile(path, bytes, { mode: 0o600, isPrivate: true });
    return [];
  } catch (error) {
    const reason = userErrorText(error, path);
    return [
      errorDiagnostic(
        'Failed to write plan file',
        `The plan file could not be written: ${reason}.`,
      ),
    ];
  }
}

/** Adds the module locations to the files of a plan, so that it can be applied without installed modules. */
function withModules(plan: Plan): Plan {
  const { configuration } = plan;
  const text = moduleManifestText(recordsOf(configuration));
  const manifest = Source.fromBytes(MODULES, new TextEncoder().encode(text));
  const sources = new Map([...configuration.sources, [MODULES, manifest]]);
  return { ...plan, configuration: { ...configuration, sources } };
}

/** A saved plan with the configuration that it was created from. */
export interface SavedPlan {
  readonly plan: Plan;
  readonly file: PlanFile;
  readonly configuration: Configuration;
  /** must be closed by the caller */
  readonly providers: Providers;
  /** the encryption of the working directory */
  readonly encryption: Encryption | undefined;
}

/** Reads a saved plan. Throws {@link NoPlanFile} for other files. */
export async function openSavedPlan(project: Project, path: string): Promise<Outcome<SavedPlan>> {
  // The current configuration, rather than that of the plan.
  const here = await loadRootModule(project);
  if (hasErrors(here.diagnostics)) return { diagnostics: here.diagnostics };
  const encrypted = await openEncryptionOf(project, here.configuration);
  if (hasErrors(encrypted.diagnostics)) return { diagnostics: encrypted.diagnostics };
  const { encryption } = encrypted;
  const file = await readPlanFile(project, path, encryption);
  if (file.plan.changes.length > MANY_INSTANCES) await project.host.limitHeapGrowth?.();
  const { workspace } = file.origin;
  const inputOf = (name: string): InputValue | undefined => {
    const value = file.plan.variables.get(name);
    return value === undefined ? undefined : { source: 'plan', value };
  };
  const loaded = await loadWithConstants(project, file.files, inputOf, workspace, {
    modules: modulesOf(project, file.files),
  });
  const { configuration } = loaded;
  if (configuration === undefined || hasErrors(loaded.diagnostics)) {
    return { diagnostics: loaded.diagnostics };
  }
  const diagnostics: Diagnostic[] = [...encrypted.diagnostics, ...loaded.diagnostics];
  const providers = await openProviders(project, configuration, file.plan.priorState, diagnostics, {
    checkLock: true,
    encryption,
  });
  if (providers === undefined) return { diagnostics };
  const plan: Plan = { ...file.plan, configuration, schemas: providers };
  return { result: { plan, file, configuration, providers, encryption }, diagnostics };
}

async function readPlanFile(
  project: Project,
  path: string,
  encryption: Encryption | undefined,
): Promise<PlanFile> {
  let bytes: Uint8Array;
  try {
    bytes = await project.host.files.readFile(path);
  } catch (error) {
    const reason = userErrorText(error, path);
    throw new NoPlanFile(
      `couldn't load the provided path as either a local plan file (${reason}) or a saved cloud plan (${reason})`,
      false,
    );
  }
  try {
    bytes = (await encryption?.plan?.decode(bytes, isPlanFile)) ?? bytes;
  } catch (error) {
    throw new NoPlanFile(userErrorText(error), false);
  }
  try {
    return decodePlanFile(bytes);
  } catch (error) {
    if (error instanceof PlanFileError) {
      if (
        error.kind === 'not-a-plan' &&
        encryption?.plan === undefined &&
        (await isEncrypted(bytes))
      ) {
        throw new NoPlanFile(
          'the given plan file is encrypted and requires a valid encryption configuration to decrypt',
          false,
        );
      }
      throw new NoPlanFile(explanation(error), error.kind !== 'not-a-plan');
    }
    throw error;
  }
}

async function isEncrypted(bytes: Uint8Array): Promise<boolean> {
  const { isEnvelope } = await import('@terrane/encryption');
  return isEnvelope(bytes);
}

/** Returns true if the bytes are an unencrypted plan file, of this program or another one. */
function isPlanFile(bytes: Uint8Array): boolean {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 13));
  return start.startsWith('PK') || start === 'TERRANE PLAN ';
}

function explanation(error: PlanFileError): string {
  switch (error.kind) {
    case 'foreign':
      return `${error.message}, and such files can only be read by the program that wrote them. Make the plan again with "${programCommand('plan -out=…')}"`;
    case 'newer':
      return `${error.message}. Apply it with the version of Terrane that made it, or make the plan again`;
    case 'damaged':
      return `${error.message}. Make the plan again`;
    case 'not-a-plan':
      return `${error.message}; "${programCommand('plan -out=FILE')}" writes one`;
  }
}

/** Reads a saved plan for an apply. Returns an error if it is missing or a directory. */
export async function readPlanToApply(project: Project, path: string): Promise<Outcome<SavedPlan>> {
  const stat = await project.host.files.stat(path);
  if (stat === undefined) {
    return { diagnostics: [notLoaded(path, `Error: stat ${path}: no such file or directory`)] };
  }
  if (stat.kind === 'directory') {
    return {
      diagnostics: [
        notLoaded(
          path,
          'The specified path is a directory, not a plan file. You can use the global -chdir flag to use this directory as the configuration root.',
        ),
      ],
    };
  }
  return await tryOpenPlan(project, path);
}

/** Opens a plan file; returns an error if the file is not a plan. */
export async function tryOpenPlan(project: Project, path: string): Promise<Outcome<SavedPlan>> {
  try {
    return await openSavedPlan(project, path);
  } catch (error) {
    if (!(error instanceof NoPlanFile)) throw error;
    return { diagnostics: [notLoaded(path, `Error: ${error.message}`)] };
  }
}

function notLoaded(path: string, reason: string): Diagnostic {
  return errorDiagnostic(`Failed to load ${JSON.stringify(path)} as a plan file`, reason);
}

/** Addresses of objects that interrupted runs may have created. */
export function openCreates({ interrupted }: ReadState): readonly string[] {
  return interrupted.filter(isOpenCreate).map(({ addr }) => addr.text);
}
