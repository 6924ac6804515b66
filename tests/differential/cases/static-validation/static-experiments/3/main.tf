terraform {
  experiments = [unknown_instances, variable_validation_crossref, template_string_func, ephemeral_values, config_driven_move, preconditions_postconditions,suppress_provider_sensitive_attrs]
}
