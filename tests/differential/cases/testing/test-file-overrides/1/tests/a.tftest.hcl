override_resource {
  target = terraform_data.a
}
override_resource {
  target = terraform_data.a
  values = 1
}
override_resource {
  target = module.m
}
override_data {
  target = terraform_data.a
}
override_module {
  target = terraform_data.a
}
override_module {
}
override_module {
  target  = module.m
  outputs = "x"
}
override_resource {
  target = terraform_data.b[each.key]
}
override_resource {
  target          = terraform_data.c
  override_during = maybe
}
