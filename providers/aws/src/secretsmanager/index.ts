import type { Service } from '../resource/service.ts';
import { secret } from './secret.ts';
import { secretVersion } from './secret-version.ts';
import { secretVersionEphemeral } from './secret-version-ephemeral.ts';

export const secretsmanager: Service = {
  resources: {
    aws_secretsmanager_secret: secret,
    aws_secretsmanager_secret_version: secretVersion,
  },
  dataSources: {},
  ephemeralResources: { aws_secretsmanager_secret_version: secretVersionEphemeral },
};
