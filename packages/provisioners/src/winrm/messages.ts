// Requests of WS-Management for shells of Windows ([MS-WSMV], [MS-WSMAN]), each in an envelope of SOAP 1.2.
import { xmlElement } from './xml.ts';

const SHELL = 'http://schemas.microsoft.com/wbem/wsman/1/windows/shell';
const TRANSFER = 'http://schemas.xmlsoap.org/ws/2004/09/transfer';
const NAMESPACES = {
  'xmlns:env': 'http://www.w3.org/2003/05/soap-envelope',
  'xmlns:a': 'http://schemas.xmlsoap.org/ws/2004/08/addressing',
  'xmlns:rsp': SHELL,
  'xmlns:w': 'http://schemas.dmtf.org/wbem/wsman/1/wsman.xsd',
  'xmlns:p': 'http://schemas.microsoft.com/wbem/wsman/1/wsman.xsd',
};
const LARGEST_ANSWER = 153_600;
const MUST = { mustUnderstand: 'true' };
const LANGUAGE = { mustUnderstand: 'false', 'xml:lang': 'en-US' };

/** Headers common to all requests of a connection. */
export interface Addressing {
  readonly url: string;
  /** how long the machine may take to answer */
  readonly timeoutMs: number;
  /** a number for each message: a UUID */
  readonly nextId: () => string;
}

interface Parts {
  readonly action: string;
  readonly shell?: string;
  readonly options?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Opens a shell, in UTF-8. */
export function openShell(to: Addressing): string {
  return envelope(to, {
    action: `${TRANSFER}/Create`,
    options: { WINRS_NOPROFILE: 'FALSE', WINRS_CODEPAGE: '65001' },
    body: xmlElement('rsp:Shell', {}, [
      xmlElement('rsp:InputStreams', {}, 'stdin'),
      xmlElement('rsp:OutputStreams', {}, 'stdout stderr'),
    ]),
  });
}

/** Closes a shell, and ends what runs in it. */
export function deleteShell(to: Addressing, shell: string): string {
  return envelope(to, { action: `${TRANSFER}/Delete`, shell });
}

/** Starts a command line of `cmd` in a shell. */
export function startCommand(to: Addressing, shell: string, command: string): string {
  return envelope(to, {
    action: `${SHELL}/Command`,
    shell,
    options: { WINRS_CONSOLEMODE_STDIN: 'TRUE', WINRS_SKIP_CMD_SHELL: 'FALSE' },
    body: xmlElement('rsp:CommandLine', {}, [xmlElement('rsp:Command', {}, command)]),
  });
}

/** Waits for what a command says next. */
export function receiveOutput(to: Addressing, shell: string, command: string): string {
  return envelope(to, {
    action: `${SHELL}/Receive`,
    shell,
    body: xmlElement('rsp:Receive', {}, [
      xmlElement('rsp:DesiredStream', { CommandId: command }, 'stdout stderr'),
    ]),
  });
}

/** Ends a command, or gives up what is kept of one that has ended. */
export function terminateCommand(to: Addressing, shell: string, command: string): string {
  return envelope(to, {
    action: `${SHELL}/Signal`,
    shell,
    body: xmlElement('rsp:Signal', { CommandId: command }, [
      xmlElement('rsp:Code', {}, `${SHELL}/signal/terminate`),
    ]),
  });
}

function envelope(to: Addressing, { action, shell, options, body }: Parts): string {
  const header = [
    xmlElement('a:To', {}, to.url),
    xmlElement('a:ReplyTo', {}, [
      xmlElement(
        'a:Address',
        MUST,
        'http://schemas.xmlsoap.org/ws/2004/08/addressing/role/anonymous',
      ),
    ]),
    xmlElement('w:MaxEnvelopeSize', MUST, String(LARGEST_ANSWER)),
    xmlElement('w:OperationTimeout', {}, duration(to.timeoutMs)),
    xmlElement('a:MessageID', {}, `uuid:${to.nextId()}`),
    xmlElement('w:Locale', LANGUAGE),
    xmlElement('p:DataLocale', LANGUAGE),
    xmlElement('a:Action', MUST, action),
    ...(shell === undefined
      ? []
      : [xmlElement('w:SelectorSet', {}, [xmlElement('w:Selector', { Name: 'ShellId' }, shell)])]),
    xmlElement('w:ResourceURI', MUST, `${SHELL}/cmd`),
    ...(options === undefined
      ? []
      : [
          xmlElement(
            'w:OptionSet',
            {},
            Object.entries(options).map(([name, value]) =>
              xmlElement('w:Option', { Name: name }, value),
            ),
          ),
        ]),
  ];
  return `<?xml version="1.0" encoding="utf-8"?>\n${xmlElement('env:Envelope', NAMESPACES, [
    xmlElement('env:Header', {}, header),
    xmlElement('env:Body', {}, body === undefined ? [] : [body]),
  ])}`;
}

/** A span of time as XML has it: `PT5M`, `PT1H30S`, `PT0.5S`. */
export function duration(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const rest = Number((seconds - hours * 3600 - minutes * 60).toFixed(3));
  const parts = [hours > 0 && `${hours}H`, minutes > 0 && `${minutes}M`, rest > 0 && `${rest}S`];
  return `PT${parts.filter((part) => part !== false).join('') || '0S'}`;
}
