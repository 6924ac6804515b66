import { expect, it } from 'vitest';
import { commandOf, isFault, outputOf, shellOf, WinrmFault } from './answers.ts';

const DONE = 'http://schemas.microsoft.com/wbem/wsman/1/windows/shell/CommandState/Done';

function envelope(body: string): string {
  return `<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body>${body}</s:Body></s:Envelope>`;
}

it('the ID of a shell comes from its selector or its element', () => {
  const selector =
    '<w:Selector Name="Other">no</w:Selector><w:Selector Name="ShellId">A</w:Selector>';
  expect(shellOf(envelope(`${selector}<rsp:ShellId>B</rsp:ShellId>`))).toBe('A');
  expect(shellOf(envelope('<rsp:ShellId>B</rsp:ShellId>'))).toBe('B');
  expect(() => shellOf(envelope(''))).toThrow('without the name of a shell');
  expect(() => commandOf(envelope('<rsp:CommandId/>'))).toThrow('without the name of a command');
});

it('output is returned in pieces of two streams, with the exit code at the end', () => {
  const response = envelope(
    `<rsp:Stream Name="stdout">${btoa('one')}</rsp:Stream><rsp:Stream Name="stderr">${btoa('two')}</rsp:Stream><rsp:Stream Name="stdout" End="true"/>`,
  );
  expect(outputOf(response)).toEqual({
    pieces: [
      { stream: 'stdout', data: Buffer.from('one') },
      { stream: 'stderr', data: Buffer.from('two') },
    ],
    exitCode: undefined,
  });
  const state = (inner: string): string =>
    envelope(`<rsp:CommandState State="${DONE}">${inner}</rsp:CommandState>`);
  expect(outputOf(state('<rsp:ExitCode>-1073741510</rsp:ExitCode>')).exitCode).toBe(-1_073_741_510);
  expect(outputOf(state('')).exitCode).toBe(0);
});

it('a fault has a reason, and distinguishes time-outs', () => {
  const fault = (inner: string): WinrmFault =>
    new WinrmFault(500, envelope(`<s:Fault>${inner}</s:Fault>`));
  const late = fault(
    '<s:Code><s:Value>s:Receiver</s:Value><s:Subcode><s:Value>w:TimedOut</s:Value></s:Subcode></s:Code><s:Reason><s:Text>Too  late.</s:Text></s:Reason>',
  );
  expect([late.isTimeout, late.message]).toEqual([true, 'http error 500: Too late.']);
  const denied = fault(
    '<s:Code><s:Value>s:Sender</s:Value></s:Code><s:Detail><f:WSManFault Code="5"><f:Message>Access is denied. </f:Message></f:WSManFault></s:Detail>',
  );
  expect([denied.isTimeout, denied.message]).toEqual([false, 'http error 500: Access is denied.']);
  expect(fault('').message).toBe('http error 500: the machine does not say why');
  expect(isFault(envelope('<s:Fault>x</s:Fault>'))).toBe(true);
  expect(isFault(envelope('<Faulty/>'))).toBe(false);
});

it('the search for a fault ends in answers of a megabyte', () => {
  expect(isFault('<'.repeat(1024 * 1024))).toBe(false);
  expect(isFault('<a'.repeat(512 * 1024))).toBe(false);
});
