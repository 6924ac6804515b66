import type { RemoteRun, RunServer, RunWorkspace } from '@terrane/backends';
import { errorDiagnostic, type Diagnostic } from '@terrane/hcl';
import { userErrorText } from '@terrane/host';
import { colorize } from '@terrane/render';
import type { Project } from '../project.ts';
import type { RemotePorts } from '../run-ports.ts';

/** The options of a remote run. */
export interface RemoteRequest {
  readonly operation: 'plan' | 'apply';
  readonly mode: 'normal' | 'destroy' | 'refresh-only';
  readonly refresh: boolean;
  readonly targets: readonly string[];
  readonly replace: readonly string[];
  readonly lockTimeoutMs: number;
  readonly autoApprove: boolean;
  /** the file to save a bookmark of the server's plan in */
  readonly out?: string;
  readonly generateConfigOut?: string;
  /** values of variables as expressions of the language */
  readonly variables: readonly { readonly key: string; readonly value: string }[];
  /** addresses of actions to invoke */
  readonly invokes: readonly string[];
}

/** Thrown to end an interrupted run. */
export class Stopped extends Error {}

/** Thrown to end a run with diagnostics. */
export class RemoteProblem extends Error {
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[]) {
    super(diagnostics.map(({ summary }) => summary).join('; '));
    this.diagnostics = diagnostics;
  }

  static of(summary: string, detail = ''): RemoteProblem {
    return new RemoteProblem([{ severity: 'error', summary, detail }]);
  }
}

/** A running remote operation and its output. */
export class RemoteContext {
  readonly project: Project;
  readonly server: RunServer;
  readonly workspace: RunWorkspace;
  readonly request: RemoteRequest;
  readonly ports: RemotePorts;
  /** aborted when the run is no longer awaited */
  readonly stop: AbortSignal;
  /** suppresses prompts; after the lock time-out also the prompt for cancellation */
  autoApprove: boolean;
  /** the run as last read */
  run: RemoteRun | undefined;

  constructor(
    about: Pick<RemoteContext, 'project' | 'server' | 'workspace' | 'request' | 'ports' | 'stop'>,
  ) {
    this.project = about.project;
    this.server = about.server;
    this.workspace = about.workspace;
    this.request = about.request;
    this.ports = about.ports;
    this.stop = about.stop;
    this.autoApprove = about.request.autoApprove;
  }

  get isCloud(): boolean {
    return this.server.flavour === 'cloud';
  }

  /** Prints a text, in which tags name colors, and a line break. */
  line(text = ''): void {
    this.ports.print(`${withoutColors(colorize(text, this.#color), this.#color)}\n`);
  }

  /** Prints a text verbatim, and a line break. */
  plain(text: string): void {
    this.ports.print(`${withoutColors(text, this.#color)}\n`);
  }

  get #color(): boolean {
    return this.ports.style.color;
  }

  /** Waits. Throws {@link Stopped} when the run is no longer awaited. */
  readonly pause = async (ms: number): Promise<void> => {
    try {
      await this.project.host.clock.sleep(ms, this.stop);
    } catch (error) {
      if (this.stop.aborted) throw new Stopped();
      throw error;
    }
    if (this.stop.aborted) throw new Stopped();
  };

  /** Sends a request to the server; errors have Terraform's messages. */
  async ask<T>(subject: string, asking: Promise<T>): Promise<T> {
    try {
      return await asking;
    } catch (error) {
      if (error instanceof Stopped || error instanceof RemoteProblem) throw error;
      throw new RemoteProblem([generalError(this.server, subject, error)]);
    }
  }

  /** Reads the current run. */
  async current(run: RemoteRun): Promise<RemoteRun> {
    this.run = await this.ask('Failed to retrieve run', this.server.run(run.id));
    return this.run;
  }

  /** Returns the URL of a run. */
  urlOf(run: string): string {
    const { hostname, organization } = this.server;
    return `https://${hostname}/app/${organization}/${this.workspace.name}/runs/${run}`;
  }

  /** Prints the URL of a run. */
  header(run: string): void {
    this.line(
      `[reset][yellow]To view this run in a browser, visit:[reset]\n[reset][yellow]${this.urlOf(run)}[reset]\n`,
    );
  }

  rule(): void {
    this.line(RULE);
  }
}

/** A line across. */
export const RULE: string = '-'.repeat(72);

/** Removes colors from server logs if they are disabled. */
function withoutColors(text: string, color: boolean): string {
  // eslint-disable-next-line no-control-regex -- escape sequences start with a control character
  return color ? text : text.replaceAll(/\u001b\[\d{1,3}m/g, '');
}

/** Returns the error for a failed request. */
function generalError(server: RunServer, subject: string, error: unknown): Diagnostic {
  const reason = userErrorText(error);
  const isRemote = server.flavour === 'remote';
  if (isNotFound(error)) {
    return errorDiagnostic(
      `${subject}: ${reason}`,
      isRemote
        ? "The configured \"remote\" backend returns '404 Not Found' errors for resources that do not exist, as well as for resources that a user doesn't have access to. If the resource does exist, please check the rights for the used token."
        : `For security, ${server.appName} returns '404 Not Found' responses for resources\nfor resources that a user doesn't have access to, in addition to resources that\ndo not exist. If the resource does exist, please check the permissions of the provided token.`,
    );
  }
  const caller = isRemote
    ? 'The configured "remote" backend encountered an unexpected error.'
    : `${server.appName} returned an unexpected error.`;
  return errorDiagnostic(
    `${subject}: ${reason}`,
    `${caller} Sometimes this is caused by network connection problems, in which case you could retry the command. If the issue persists please open a support ticket to get help resolving the problem.`,
  );
}

/** Returns true if the server reports that the object does not exist or is not visible to the token. */
export function isNotFound(error: unknown): boolean {
  return error instanceof Error && 'isNotFound' in error && error.isNotFound === true;
}

/** Pauses that grow from the least to the most, in milliseconds. */
export function backoff(minMs: number, maxMs: number, turn: number): number {
  return Math.floor(Math.min(maxMs, minMs * 2 ** (turn / 5)));
}

/** Returns a duration in whole units of `unitSeconds`, in Go's format: `1m30s`. */
export function elapsedText(ms: number, unitSeconds: number): string {
  const seconds = Math.floor(ms / 1000 / unitSeconds) * unitSeconds;
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  if (hours > 0) return `${hours}h${minutes}m${seconds % 60}s`;
  return minutes > 0 ? `${minutes}m${seconds % 60}s` : `${seconds}s`;
}
