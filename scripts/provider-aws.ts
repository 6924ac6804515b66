// The provider for AWS as a plugin: `npm run build:aws`.
import { serve } from '@terrane/plugin/server';
import { provider } from '@terrane/provider-aws';

void serve((ports) => provider.create(ports), { address: provider.address });
