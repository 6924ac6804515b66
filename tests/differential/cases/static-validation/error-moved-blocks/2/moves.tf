moved {
  from = terraform_data.a
  to   = terraform_data.b
}
moved {
  from = terraform_data.x
  to   = terraform_data.y
}
moved {
  from = terraform_data.x
  to   = terraform_data.z
}
moved {
  from = terraform_data.v
  to   = terraform_data.z
}
moved {
  from = module.m
  to   = module.n
}
moved {
  from = terraform_data.same
  to   = terraform_data.same
}
