import type { ServiceConnectConfiguration } from '@aws-sdk/client-ecs';
import type { Unknown } from '@terrane/provider/sdk';
import { enumOf } from '../resource/enum-of.ts';
import type { Loose } from '../resource/loose.ts';
import { textsIn } from '../resource/known-fields.ts';
import { omitUnset } from '../resource/only.ts';

// Computed values may be unknown in a plan (`U`).
type Computed<T, U> = T | U | null;

interface Alias<U> {
  readonly dns_name: Computed<string, U>;
  readonly port: number;
  readonly test_traffic_rules: readonly {
    readonly header: readonly {
      readonly name: string;
      readonly value: readonly { readonly exact: string }[];
    }[];
  }[];
}

interface Connected<U> {
  readonly discovery_name: Computed<string, U>;
  readonly ingress_port_override: number | null;
  readonly port_name: string;
  readonly client_alias: readonly Alias<U>[];
  readonly timeout: readonly {
    readonly idle_timeout_seconds: number | null;
    readonly per_request_timeout_seconds: number | null;
  }[];
  readonly tls: readonly {
    readonly kms_key: string | null;
    readonly role_arn: string | null;
    readonly issuer_cert_authority: readonly { readonly aws_pca_authority_arn: string }[];
  }[];
}

/** `service_connect_configuration` */
export interface Connect<U = never> {
  readonly enabled: boolean;
  readonly namespace: Computed<string, U>;
  readonly log_configuration: readonly {
    readonly log_driver: string;
    readonly options: Computed<Readonly<Record<string, string | U>>, U>;
    readonly secret_option: readonly { readonly name: string; readonly value_from: string }[];
  }[];
  readonly service: readonly Connected<U>[];
}

/** Returns the service connect configuration of a request. */
export function connectOf([connect]: readonly Connect<Unknown>[]): ServiceConnectConfiguration {
  if (connect === undefined) return { enabled: false };
  const [log] = connect.log_configuration;
  const options = log === undefined ? {} : textsIn({ ...log }, 'options');
  return {
    enabled: connect.enabled,
    ...omitUnset({ namespace: connect.namespace }),
    ...(log && {
      logConfiguration: {
        logDriver: enumOf<'awslogs'>(log.log_driver),
        ...(Object.keys(options).length > 0 && { options }),
        ...(log.secret_option.length > 0 && {
          secretOptions: log.secret_option.map(({ name, value_from: valueFrom }) => ({
            name,
            valueFrom,
          })),
        }),
      },
    }),
    ...(connect.service.length > 0 && { services: connect.service.map(connectedOf) }),
  };
}

function connectedOf(service: Connected<Unknown>) {
  const [timeout] = service.timeout;
  const [tls] = service.tls;
  const [authority] = tls?.issuer_cert_authority ?? [];
  return {
    portName: service.port_name,
    ...omitUnset({
      discoveryName: service.discovery_name,
      ingressPortOverride: service.ingress_port_override,
    }),
    ...(service.client_alias.length > 0 && { clientAliases: service.client_alias.map(aliasOf) }),
    ...(timeout && {
      timeout: omitUnset({
        idleTimeoutSeconds: timeout.idle_timeout_seconds,
        perRequestTimeoutSeconds: timeout.per_request_timeout_seconds,
      }),
    }),
    ...(tls && {
      tls: {
        ...omitUnset({ kmsKey: tls.kms_key, roleArn: tls.role_arn }),
        issuerCertificateAuthority: omitUnset({
          awsPcaAuthorityArn: authority?.aws_pca_authority_arn,
        }),
      },
    }),
  };
}

function aliasOf({ dns_name: dnsName, port, test_traffic_rules: [rules] }: Alias<Unknown>) {
  const [header] = rules?.header ?? [];
  const [value] = header?.value ?? [];
  return {
    port,
    ...omitUnset({ dnsName }),
    ...(header && {
      testTrafficRules: { header: { name: header.name, ...(value && { value }) } },
    }),
  };
}

/** Converts a service connect configuration to arguments. */
export function connectIn(configuration: ServiceConnectConfiguration): Loose<Connect> {
  const { logConfiguration: log, services = [] } = configuration;
  return {
    enabled: configuration.enabled,
    namespace: configuration.namespace,
    log_configuration: log && [
      {
        log_driver: log.logDriver,
        options: log.options,
        secret_option: (log.secretOptions ?? []).map(({ name, valueFrom }) => ({
          name,
          value_from: valueFrom,
        })),
      },
    ],
    service: services.map(({ clientAliases = [], timeout, tls, ...service }) => ({
      discovery_name: service.discoveryName,
      ingress_port_override: service.ingressPortOverride,
      port_name: service.portName,
      client_alias: clientAliases.map(({ dnsName, port, testTrafficRules: rules }) => ({
        dns_name: dnsName,
        port,
        test_traffic_rules: rules && [
          {
            header: rules.header && [
              {
                name: rules.header.name,
                value: rules.header.value && [{ exact: rules.header.value.exact }],
              },
            ],
          },
        ],
      })),
      timeout: timeout && [
        {
          idle_timeout_seconds: timeout.idleTimeoutSeconds,
          per_request_timeout_seconds: timeout.perRequestTimeoutSeconds,
        },
      ],
      tls: tls && [
        {
          kms_key: tls.kmsKey,
          role_arn: tls.roleArn,
          issuer_cert_authority: tls.issuerCertificateAuthority && [
            { aws_pca_authority_arn: tls.issuerCertificateAuthority.awsPcaAuthorityArn },
          ],
        },
      ],
    })),
  };
}
