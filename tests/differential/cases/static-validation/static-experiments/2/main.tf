terraform {
  experiments = [module_variable_optional_attrs, provider_sensitive_attrs]
}
