// Responses of a machine to requests for shells.
import { parseXml, type XmlElement, xmlTextByName, xmlTexts } from '@terrane/host/xml';
import { brief } from '../brief.ts';

const DONE = 'http://schemas.microsoft.com/wbem/wsman/1/windows/shell/CommandState/Done';
/** ERROR_WSMAN_OPERATION_TIMEDOUT: no output yet. */
const TIMED_OUT = '2150858793';

/** The error for a request that the machine rejected. */
export class WinrmFault extends Error {
  /** true if the command only had no output within the time limit */
  readonly isTimeout: boolean;

  constructor(status: number, xml: string) {
    const elements = parseXml(xml);
    const detail = elements.find(({ name }) => name === 'WSManFault');
    const reason = [
      detail?.text,
      elements.find(({ name }) => name === 'Reason')?.text,
      xmlTexts(elements, 'Value').at(-1),
    ]
      .map((text) => text?.trim().replaceAll(/\s+/g, ' ') ?? '')
      .find((text) => text !== '');
    super(`http error ${status}: ${brief(reason ?? 'the machine does not say why')}`);
    this.name = 'WinrmFault';
    this.isTimeout =
      detail?.attributes['Code'] === TIMED_OUT ||
      elements.some((each) => each.name === 'Value' && /(?:^|:)TimedOut$/.test(each.text.trim()));
  }
}

/** Returns true if a response is a fault, regardless of its status. */
export function isFault(xml: string): boolean {
  return xmlTextByName(xml)('Fault') !== undefined;
}

/** Parses the ID of an opened shell. */
export function shellOf(xml: string): string {
  const elements = parseXml(xml);
  const id =
    elements.find(
      ({ name, attributes }) => name === 'Selector' && attributes['Name'] === 'ShellId',
    ) ?? elements.find(({ name }) => name === 'ShellId');
  return requiredName(id, 'shell');
}

/** Parses the ID of a started command. */
export function commandOf(xml: string): string {
  return requiredName(
    parseXml(xml).find(({ name }) => name === 'CommandId'),
    'command',
  );
}

function requiredName(element: XmlElement | undefined, subject: string): string {
  const id = element?.text.trim() ?? '';
  if (id === '') throw new Error(`the machine answered without the name of a ${subject}`);
  return id;
}

/** The output of a command since the previous response. */
export interface Output {
  readonly pieces: readonly { readonly stream: 'stdout' | 'stderr'; readonly data: Buffer }[];
  /** undefined while the command runs */
  readonly exitCode: number | undefined;
}

/** Parses the output of a command and its completion. */
export function outputOf(xml: string): Output {
  const elements = parseXml(xml);
  const pieces = elements.flatMap((each) => {
    const stream = each.attributes['Name'];
    if (each.name !== 'Stream' || (stream !== 'stdout' && stream !== 'stderr')) return [];
    const data = Buffer.from(each.text, 'base64');
    return data.length === 0 ? [] : [{ stream, data } as const];
  });
  const isDone = elements.some(({ attributes }) => attributes['State'] === DONE);
  const code = Number(elements.find(({ name }) => name === 'ExitCode')?.text ?? 0);
  return { pieces, exitCode: isDone ? code || 0 : undefined };
}
