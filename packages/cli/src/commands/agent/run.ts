import { hasErrors, type Diagnostic, errorDiagnostic } from '@terrane/hcl';
import {
  bodyBytes,
  type Host,
  type Logs,
  nodeHost,
  userErrorText,
  programCommand,
} from '@terrane/host';
import {
  AgentClient,
  type AgentOptions,
  type AgentReport,
  type AgentTransport,
  LARGEST_STREAM,
  runAgent,
} from '@terrane/server';
import { TERRANE_VERSION } from '@terrane/engine/version';
import { resolve } from 'node:path';
import type { CommandContext } from '../../command.ts';
import { escapedLines } from '../../log/escaped.ts';
import { openLogs } from '../../log/open-logs.ts';
import { commandExecutor } from '../../run/execute-command.ts';
import { untilInterrupted } from '../../run/until-interrupted.ts';
import { View } from '../../views/view.ts';
import type { AgentFlags } from './flags.ts';

/** Variables that every run receives from the environment of its agent. */
const ALWAYS_PASSED = [
  'PATH',
  'HOME',
  'LANG',
  'TMPDIR',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
];
/** The largest content that a server sends: the limit of `terrane server -blob-storage-limit`. */
const MOST_BYTES = LARGEST_STREAM;

/** Takes runs from a server until an interrupt. */
export async function runAgentCommand(flags: AgentFlags, context: CommandContext): Promise<number> {
  const { world } = context;
  const { values } = flags;
  const view = new View(context);
  const token = world.environment['TERRANE_AGENT_TOKEN'] ?? '';
  const problems = flagProblems(flags, token);
  view.diagnostics(problems);
  if (hasErrors(problems)) return 1;
  const url = values.server.replace(/\/$/, '');
  const host = nodeHost({ cwd: context.directory });
  const report = agentReport(
    view,
    values['log-format'] === 'json'
      ? openLogs(world, () => host.clock.now(), { level: 'INFO', format: 'json' })
      : undefined,
  );
  try {
    await untilInterrupted(world, async (signal) => {
      if (values['kubernetes-job'] !== '') {
        const { dispatchToKubernetes } = await import('./kubernetes.ts');
        await dispatchToKubernetes({
          host,
          client: new AgentClient(httpTransport(host, url), token, host.clock, report),
          manifestFile: resolve(context.directory, values['kubernetes-job']),
          namespace: values['kubernetes-namespace'],
          mostJobs: values.concurrency,
          signal,
          report,
        });
        return;
      }
      await runAgent({
        ...agentOptions(context, host, values['pass-env']),
        transport: httpTransport(host, url),
        token,
        name: values.name === '' ? host.environment.hostName : values.name,
        directory: resolve(context.directory, values.data === '' ? '.terrane-agent' : values.data),
        serverHost: new URL(url).host,
        concurrency: values.concurrency,
        ...(values.programs !== '' && {
          programsDirectory: resolve(context.directory, values.programs),
        }),
        single: values.single,
        ...(values['idle-seconds'] > 0 && { idleMs: values['idle-seconds'] * 1_000 }),
        signal,
        report,
      }).stopped;
    });
    return 0;
  } catch (problem) {
    view.diagnostics([errorDiagnostic('The agent has stopped', userErrorText(problem))]);
    return 1;
  }
}

/** Returns the receiver of the messages of an agent: entries of a log, or else lines of the output. */
export function agentReport(view: Pick<View, 'line'>, logs: Logs | undefined): AgentReport {
  return ({ level, message, fields, text }) => {
    if (logs === undefined) view.line(escapedLines(text));
    else logs.core.write(level, 'agent', message, fields);
  };
}

function flagProblems({ values, rest, error }: AgentFlags, token: string): Diagnostic[] {
  const problems: Diagnostic[] = [];
  if (error !== undefined) problems.push(errorDiagnostic('Invalid command-line option', error));
  if (rest.length > 0) {
    problems.push(
      errorDiagnostic('Too many command line arguments', 'The agent command expects no arguments.'),
    );
  }
  if (!/^https?:\/\/[^/]+\/?$/.test(values.server)) {
    problems.push(
      errorDiagnostic(
        'Invalid server URL',
        'The option -server has to be the URL of a run server, such as https://runs.example.com.',
      ),
    );
  }
  if (!values.insecure && isRemoteHttp(values.server)) {
    problems.push(
      errorDiagnostic(
        'Insecure server URL',
        'The option -server names a server on another machine with http://, so that the token, the states and the variables of runs would be readable on the network. Use the https:// URL of the server, or the option -insecure if the network protects the connection otherwise.',
      ),
    );
  }
  if (token === '') {
    problems.push(
      errorDiagnostic(
        'Missing agent token',
        `The environment variable TERRANE_AGENT_TOKEN is not set. Create a token with "${programCommand('server -create-agent-token')}", or for an agent pool, and set the variable to it.`,
      ),
    );
  }
  if (values.concurrency < 1 || values.concurrency > 100) {
    problems.push(
      errorDiagnostic(
        'Invalid concurrency',
        'The option -concurrency has to be between 1 and 100.',
      ),
    );
  }
  if (values['log-format'] !== 'text' && values['log-format'] !== 'json') {
    problems.push(
      errorDiagnostic('Invalid log format', 'The option -log-format has to be "text" or "json".'),
    );
  }
  if (values['idle-seconds'] !== 0 && (!values.single || values['idle-seconds'] < 0)) {
    problems.push(
      errorDiagnostic(
        'Invalid idle time',
        'The option -idle-seconds needs -single, and has to be a positive number.',
      ),
    );
  }
  if (values.single && values['kubernetes-job'] !== '') {
    problems.push(
      errorDiagnostic(
        'Conflicting options',
        'The options -single and -kubernetes-job exclude each other: the Jobs have -single.',
      ),
    );
  }
  return problems;
}

/** Returns true for an http:// URL of a server that is not on this machine. */
function isRemoteHttp(text: string): boolean {
  if (!text.startsWith('http://')) return false;
  const { hostname } = new URL(text);
  return hostname !== 'localhost' && hostname !== '[::1]' && !/^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** Returns the options of an agent that do not depend on its server. */
export function agentOptions(
  context: Pick<CommandContext, 'world' | 'runProgram'>,
  host: Host,
  passed: readonly string[],
): Pick<AgentOptions, 'host' | 'execute' | 'version' | 'passedEnvironment'> {
  const names = [...ALWAYS_PASSED, ...passed];
  return {
    host,
    execute: commandExecutor(context),
    version: TERRANE_VERSION,
    passedEnvironment: Object.fromEntries(
      names.flatMap((name) => {
        const value = context.world.environment[name];
        return value === undefined ? [] : [[name, value]];
      }),
    ),
  };
}

function httpTransport({ http }: Pick<Host, 'http'>, url: string): AgentTransport {
  return async (method, path, { headers, body, signal }) => {
    const answer = await http.request(`${url}${path}`, {
      method,
      headers,
      redirect: 'manual',
      ...(body !== undefined && { body }),
      ...(signal !== undefined && { signal }),
    });
    return { status: answer.status, body: await bodyBytes(answer, MOST_BYTES) };
  };
}
