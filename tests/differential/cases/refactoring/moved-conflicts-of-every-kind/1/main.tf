resource "terraform_data" "b" {}
resource "terraform_data" "c" { count = 2 }
moved {
  from = terraform_data.a
  to = terraform_data.b
}
moved {
  from = terraform_data.a
  to = terraform_data.c
}
moved {
  from = terraform_data.x
  to = terraform_data.x
}
moved {
  from = terraform_data.b
  to = terraform_data.q
}
moved {
  from = terraform_data.d
  to = terraform_data.b
}
moved {
  from = terraform_data.e
  to = terraform_data.f
}
moved {
  from = terraform_data.f
  to = terraform_data.e
}
moved {
  from = module.nope
  to = module.nope2
}
moved {
  from = terraform_data.c
  to = terraform_data.c[0]
}
moved {
  from = terraform_data.g
  to = null_resource.g
}
moved {
  from = module.z.terraform_data.g
  to = terraform_data.g
}
