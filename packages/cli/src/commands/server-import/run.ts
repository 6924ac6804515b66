import { parseHostname } from '@terrane/addresses';
import { type Diagnostic, errorDiagnostic, hasErrors, warningDiagnostic } from '@terrane/hcl';
import { bodyBytes, type Host, nodeHost, programCommand, userErrorText } from '@terrane/host';
import { credentialsOf } from '@terrane/ops';
import { importOrganization, type ImportResult, OrganizationClient } from '@terrane/server';
import type { CommandContext } from '../../command.ts';
import { projectOf } from '../../run/project-of.ts';
import { View } from '../../views/view.ts';
import type { ServerImportFlags } from './flags.ts';

/** The largest state is 64 MB, in base64. */
const MOST_BYTES = 128 * 1024 * 1024;

/** An organization as the options name it. */
interface Named {
  readonly host: string;
  readonly organization: string;
}

/** Imports an organization into another one. */
export async function runServerImport(
  { values, rest, error }: ServerImportFlags,
  context: CommandContext,
): Promise<number> {
  const view = new View(context);
  const problems: Diagnostic[] = [];
  if (error !== undefined) problems.push(errorDiagnostic('Invalid command-line option', error));
  if (rest.length > 0) {
    problems.push(
      errorDiagnostic(
        'Too many command line arguments',
        'The server import command expects no arguments.',
      ),
    );
  }
  const [from, to] = [named('from', values.from, problems), named('to', values.to, problems)];
  if (from !== undefined && to !== undefined && values.from === values.to) {
    problems.push(
      errorDiagnostic('Invalid target', 'The options -from and -to name the same organization.'),
    );
  }
  const host = nodeHost({ cwd: context.directory });
  const source = await client(from, host, context, problems);
  const target = await client(to, host, context, problems);
  view.diagnostics(problems);
  if (hasErrors(problems) || source === undefined || target === undefined) return 1;
  try {
    const result = await importOrganization({
      source,
      target,
      isDryRun: values['dry-run'],
      locksSource: values['lock-source'],
      report: (line) => view.line(line),
    });
    show(result, values['dry-run'], view);
    return result.failures.length === 0 ? 0 : 1;
  } catch (problem) {
    view.diagnostics([
      errorDiagnostic('The organization could not be imported', userErrorText(problem)),
    ]);
    return 1;
  }
}

function named(flag: string, text: string, problems: Diagnostic[]): Named | undefined {
  const match = /^([^/\s]+)\/([\w-]+)$/.exec(text);
  const host = match === null ? undefined : parseHostname(match[1] ?? '');
  if (host === undefined || typeof host !== 'string') {
    problems.push(
      errorDiagnostic(
        'Invalid organization',
        `The option -${flag} has to be a host and an organization, such as app.terraform.io/example.`,
      ),
    );
    return undefined;
  }
  return { host, organization: match?.[2] ?? '' };
}

async function client(
  organization: Named | undefined,
  { http, clock }: Pick<Host, 'http' | 'clock'>,
  context: CommandContext,
  problems: Diagnostic[],
): Promise<OrganizationClient | undefined> {
  if (organization === undefined) return undefined;
  const { host } = organization;
  const token = await credentialsOf(projectOf(context)).token(host);
  if (token === undefined) {
    problems.push(
      errorDiagnostic(
        'Missing credentials',
        `There is no API token for ${host}. Run "${programCommand(`login ${host}`)}" first.`,
      ),
    );
    return undefined;
  }
  return new OrganizationClient({
    url: `https://${host}`,
    token,
    organization: organization.organization,
    sleep: (ms) => clock.sleep(ms),
    async send(method, url, { headers, body }) {
      const answer = await http.request(url, {
        method,
        headers,
        ...(body !== undefined && { body }),
      });
      const retry = Number(answer.headers['retry-after'] ?? Number.NaN);
      return {
        status: answer.status,
        body: await bodyBytes(answer, MOST_BYTES),
        ...(Number.isFinite(retry) && { retryAfterSeconds: retry }),
      };
    },
  });
}

function show(
  { created, existing, remaining, failures }: ImportResult,
  isDryRun: boolean,
  view: View,
): void {
  const counts = Object.entries(created).map(([type, count]) => `${count} × ${type}`);
  const sum = counts.length === 0 ? 'nothing' : counts.join(', ');
  view.line(
    `\n${isDryRun ? 'Would create' : 'Created'} ${sum}. ${existing} objects existed before.`,
  );
  if (remaining.length > 0) {
    view.line(`\nWhat remains to be done:\n${remaining.map((each) => `  - ${each}`).join('\n')}`);
  }
  view.diagnostics(
    failures.map((failure) => warningDiagnostic('An object was not imported', failure)),
  );
}
