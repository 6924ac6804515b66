import { serve } from '@terrane/plugin/server';
import { exampleCloudProvider } from './provider.ts';

// The plugin: Terraform, OpenTofu and Terrane start it.
void serve(exampleCloudProvider, {
  address: 'registry.example.com/examplecorp/example-cloud',
});
