moved {
  from = terraform_data.one
  to   = terraform_data.two
}
moved {
  from = terraform_data.two
  to   = terraform_data.three
}
moved {
  from = terraform_data.three
  to   = terraform_data.one
}
