import type { ContainerDefinition } from '@aws-sdk/client-ecs';
import { userErrorText } from '@terrane/host';
import { type Builder, customType, error, pathText, string } from '@terrane/provider/sdk';
import { normalJson } from '../json-policy/normal-json.ts';

/** Container definitions as JSON, compared semantically: see `sameContainers`. */
export const containerDefinitions: Builder<string> = customType(string, {
  semanticEquals: (before, after) => sameContainers(before, after, false),
  format: (text, path) => {
    try {
      containersOf(text);
      return undefined;
    } catch (problem) {
      const reason = userErrorText(problem);
      return error(
        'Invalid Attribute Value',
        `Attribute ${pathText(path)}: ECS Task Definition container_definitions is invalid: ${reason}`,
        path,
      );
    }
  },
});

/** Parses the containers of a text; throws if it is malformed. */
export function containersOf(text: string): ContainerDefinition[] {
  const value: unknown = JSON.parse(text);
  if (!Array.isArray(value)) throw new TypeError('a list of containers is wanted');
  for (const each of value) {
    if (!isFields(each)) throw new TypeError('a container has to be an object');
  }
  // The service reports other errors. Names are normalised to the case of requests.
  return value.map((each) => lowerNames(each) as ContainerDefinition);
}

/** Returns containers as they are stored: with ordered variables and without empty values. */
export function containersText(containers: readonly unknown[]): string {
  return normalJson(JSON.stringify(containers.map(inOrder)));
}

/**
 * Compares two texts of container definitions. Values that the service adds, defaults, and the order of variables and
 * secrets are ignored. With `awsvpc`, the host port of the network mode equals the container port.
 */
export function sameContainers(before: string, after: string, awsvpc: boolean): boolean {
  try {
    const [a, b] = [before, after].map((text) =>
      normalJson(JSON.stringify(containersOf(text).map((each) => canonical(each, awsvpc)))),
    );
    return a === b;
  } catch {
    return false;
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** Maps with names that users choose, whose keys are not normalised. */
const FREE: ReadonlySet<string> = new Set(['dockerLabels', 'options', 'driverOpts']);

function lowerNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lowerNames);
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => {
      const lowerName = name.charAt(0).toLowerCase() + name.slice(1);
      return [lowerName, FREE.has(lowerName) ? part : lowerNames(part)];
    }),
  );
}

function inOrder(container: unknown): unknown {
  if (!isFields(container)) return container;
  return Object.fromEntries(
    Object.entries(container).map(([name, part]) => [
      name,
      name === 'environment' || name === 'secrets' ? byName(part) : part,
    ]),
  );
}

function canonical(container: unknown, awsvpc: boolean): Fields {
  const { cpu, essential, portMappings, environment, ...rest } = isFields(container)
    ? container
    : {};
  const ports = Array.isArray(portMappings)
    ? portMappings.map((port) => portOf(port, awsvpc)).sort(byText)
    : [];
  // Variables without a value are ignored.
  const variables = Array.isArray(environment)
    ? environment.filter((each) => isFields(each) && each['value'] !== undefined)
    : [];
  return withoutEmpty(
    inOrder({
      ...rest,
      essential: essential ?? true,
      cpu: cpu === 0 ? undefined : cpu,
      portMappings: ports,
      environment: variables,
    }),
  ) as Fields;
}

function portOf(port: unknown, awsvpc: boolean): unknown {
  if (!isFields(port)) return port;
  const { protocol, hostPort, ...rest } = port;
  const isContainerPort = awsvpc && hostPort === rest['containerPort'];
  return {
    ...rest,
    ...(protocol !== 'tcp' && { protocol }),
    ...(hostPort !== 0 && !isContainerPort && { hostPort }),
  };
}

function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (!isFields(value)) return value;
  const entries = Object.entries(value).map(([name, part]) => [name, withoutEmpty(part)] as const);
  return Object.fromEntries(entries.filter(([, part]) => !isEmpty(part)));
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function byName(list: unknown): unknown {
  if (!Array.isArray(list)) return list;
  const nameOf = (each: unknown): string => (isFields(each) ? String(each['name']) : '');
  return list.toSorted((a, b) => byText(nameOf(a), nameOf(b)));
}

function byText(a: unknown, b: unknown): number {
  const [x, y] = [a, b].map((each) => (typeof each === 'string' ? each : JSON.stringify(each)));
  return (x ?? '') < (y ?? '') ? -1 : Number(x !== y);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
