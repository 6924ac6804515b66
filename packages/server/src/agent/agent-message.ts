import type { LogFields, LogLevel } from '@terrane/host';

/** A message of an agent for its operator: an entry of a log, and the same as a text for people. No secrets. */
export interface AgentMessage {
  readonly level: LogLevel;
  /** a constant text, which programs search for */
  readonly message: string;
  readonly fields: LogFields;
  /** the message for people; it may have texts of others, with any characters */
  readonly text: string;
}

/** Receives the messages of an agent. */
export type AgentReport = (message: AgentMessage) => void;
