import { serve } from '@terrane/plugin/server';
import { notesProvider } from './provider.ts';

// The plugin: Terraform, OpenTofu and Terrane start it like any other.
void serve(notesProvider, { address: 'registry.terraform.io/example/notes' });
