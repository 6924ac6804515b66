resource "terraform_data" "a" {}
moved {
  from = terraform_data.x
  to   = terraform_data.y
}
moved {
  from = terraform_data.y
  to   = terraform_data.x
}
moved {
  from = terraform_data.a
}
removed {
  from = terraform_data.b[0]
}
