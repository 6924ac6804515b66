import { BackendFault } from '@terrane/backends';
import { errorDiagnostic, type Diagnostic } from '@terrane/hcl';
import { userErrorText } from '@terrane/host';
import type { Inspector, Plan, ReadState, RunEvent } from '@terrane/engine';
import type { TextStyle } from '@terrane/render';
import type { Ask } from './ask.ts';

/** The communication of a run with its caller. */
export interface RunPorts {
  /** called for each event, in order; must not throw */
  readonly emit: (event: RunEvent) => void;
  /** receives warnings about the used providers, before the operation starts; without it they are part of the result */
  readonly early?: (diagnostics: readonly Diagnostic[]) => void;
  /** without it there are no prompts, and missing values are errors */
  readonly ask?: Ask;
  /** acquiring or releasing the state lock takes long */
  readonly waiting?: (subject: 'lock' | 'unlock') => void;
  /**
   * Examines a plan before it is saved or applied, while the state is locked. Errors refuse it. Not called for saved
   * plans, which were examined when they were made, and for runs on servers.
   */
  readonly review?: (plan: Plan, state: ReadState) => Promise<readonly Diagnostic[]>;
  /** aborted to stop gracefully: pending operations are awaited */
  readonly signal?: AbortSignal;
  /** aborted to cancel running operations */
  readonly abort?: AbortSignal;
  /** judges the plan, and each change before it is made; not supported for remote runs */
  readonly inspector?: Inspector;
  /** without it, remote runs print nothing and are approved */
  readonly remote?: RemotePorts;
}

/** The output of a remote run. */
export interface RemotePorts {
  /** prints text, including its line feeds; colored as `style` specifies */
  readonly print: (text: string) => void;
  /** receives JSON lines of logs unchanged; without it they are printed as text */
  readonly record?: (line: string) => void;
  readonly style: TextStyle;
  /** prompts for approval, and for cancellation */
  readonly ask: Ask;
  /** allows a prompt for approval */
  readonly input: boolean;
}

/** Ports without output. */
export const SILENT: RunPorts = { emit: () => undefined };

/** The error for an inspector of a run that a server makes. */
export function uninspectedRemoteRun(): Diagnostic {
  return errorDiagnostic(
    'Policies are not evaluated in remote runs',
    'This workspace makes its runs on a server, which evaluates the policies that are attached to the workspace there. Leave the option -policies out, and the policies of the CLI configuration if there are any, or set the execution mode of the workspace to local.',
  );
}

/** A sourceless error of one sentence. */
export function plainError(message: string): Diagnostic {
  return { severity: 'error', summary: message, detail: '' };
}

/** Returns the diagnostic of a user error. */
export function errorOf(error: unknown): Diagnostic {
  if (error instanceof BackendFault) return errorDiagnostic(error.summary, error.detail);
  return plainError(userErrorText(error));
}

/** Joins errors to one of a single sentence, as Terraform's older commands do. */
export function joinedError(subject: string, diagnostics: readonly Diagnostic[]): Diagnostic {
  const texts = diagnostics
    .filter((each) => each.severity === 'error')
    .map((each) => (each.detail === '' ? each.summary : `${each.summary}: ${each.detail}`));
  const joined =
    texts.length === 1
      ? texts[0]
      : `${texts.length} problems:\n${texts.map((text) => `\n- ${text}`).join('')}`;
  return plainError(subject === '' ? `${joined}` : `${subject}: ${joined}`);
}
