import type { Value } from '@terrane/cty';
import { type HttpTls, userErrorText } from '@terrane/host';
import type { Backend, BackendKind, BackendPorts } from '../backend.ts';
import { cleanPath } from '../clean-path.ts';
import { BackendArguments } from '../backend-arguments.ts';
import { objectSideStorage } from '../object-side-storage.ts';
import { OciObjects } from './oci-objects.ts';
import { serviceHost } from './oci-regions.ts';
import { OCI_SCHEMA } from './oci-schema.ts';
import { ociProblems, ociSettings } from './oci-settings.ts';
import { ociSignIn } from './oci-sign-in.ts';
import { ociStorage } from './oci-storage.ts';

const DEFAULT = 'default';
const CLIENT = 'oci_object_storage.ObjectStorageClient';

/** Stores states in a bucket of Oracle Cloud, as the `oci` backend of Terraform 1.12. */
export const OCI: BackendKind = {
  type: 'oci',
  schema: OCI_SCHEMA,
  asked: () => ['bucket', 'namespace'],
  check: (config, { host }) => ociProblems(config, host.environment),
  open: openOci,
};

async function openOci(config: Value, ports: BackendPorts): Promise<Backend> {
  const { environment, clock } = ports.host;
  const settings = ociSettings(config, environment);
  const { key, workspacePrefix } = settings;
  const signIn = await ociSignIn(settings, ports);
  const variable = (name: string): string =>
    new BackendArguments(config, environment).firstVariable([`OCI_${name}`, name]) ?? '';
  const origin = originOf(
    `https://${serviceHost('objectstorage', signIn.region, environment)}`,
    variable,
  );
  const tls = await tlsOf(variable, ports);
  const objects = new OciObjects(settings, { origin, tls }, signIn, ports);
  const pathOf = (workspace: string): string =>
    workspace === DEFAULT ? key : cleanPath(workspacePrefix, workspace, key);
  return {
    place: origin,
    workspaces: {
      async names() {
        const under = `${workspacePrefix.replace(/\/+$/, '')}/`;
        const names: string[] = [];
        for await (const objectName of objects.names(under)) {
          const rest = objectName.slice(under.length);
          const slash = rest.indexOf('/');
          if (slash > 0 && rest.slice(slash + 1) === key) names.push(rest.slice(0, slash));
        }
        return [DEFAULT, ...names.sort()];
      },
      async delete(name) {
        if (name === DEFAULT || name === '') throw new Error("can't delete default state");
        await objects.deleteVersions(pathOf(name));
      },
    },
    storage: (workspace) => Promise.resolve(ociStorage(objects, pathOf(workspace), clock)),
    sideStorage: (workspace) =>
      Promise.resolve(
        objectSideStorage(
          {
            get: async (name) => (await objects.get(name, true))?.bytes,
            put: (name, content) => objects.put(name, content, 'any', true),
            delete: (name) => objects.delete(name),
          },
          pathOf(workspace),
        ),
      ),
  };
}

/** Returns the URL of the storage, which environment variables may override. */
function originOf(defaultOrigin: string, variable: (name: string) => string): string {
  let origin = defaultOrigin;
  for (const item of variable('CLIENT_HOST_OVERRIDES').split(';')) {
    const [client, host, ...more] = item.split('=');
    if (client !== CLIENT || host === undefined || more.length > 0) continue;
    origin = /^https?:\/\//.test(host) ? host : `https://${host}`;
    break;
  }
  const domain = variable('domain_name_override');
  const right = variable('has_correct_domain_name');
  if (domain !== '' && (right === '' || !origin.endsWith(right))) {
    origin = origin.replace(/[-\w]+\.\w+$/, domain);
  }
  return origin;
}

async function tlsOf(
  variable: (name: string) => string,
  { host: { files } }: BackendPorts,
): Promise<HttpTls | undefined> {
  const path = variable('custom_cert_location');
  const trusts = /^(?:1|t|true)$/i.test(variable('accept_local_certs'));
  if (path === '' && !trusts) return undefined;
  const ca =
    path === ''
      ? undefined
      : await files.readText(path).catch((error: unknown) => {
          throw new Error(
            `The certificates that "custom_cert_location" names cannot be read: ${userErrorText(error)}`,
            { cause: error },
          );
        });
  return { ...(ca !== undefined && { ca }), ...(trusts && { verify: false }) };
}
