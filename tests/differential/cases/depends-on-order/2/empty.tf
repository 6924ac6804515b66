# All resources are gone.
