moved {
  from = module.one
  to   = module.missing
}
moved {
  from = module.never
  to   = module.missing_too
}
moved {
  from = terraform_data.a
  to   = module.missing.module.deep[0].terraform_data.b["k"]
}
