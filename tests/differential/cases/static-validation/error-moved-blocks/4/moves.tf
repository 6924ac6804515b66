moved {
  from = terraform_data.one
  to   = module.two
}
moved {
  from = data.terraform_remote_state.one
  to   = data.terraform_remote_state.two
}
moved {
  from = terraform_data.one[count.index]
  to   = terraform_data.two[each.key]
}
moved {
  from = var.x
  to   = local.y
}
moved {
  from = terraform_data
  to   = terraform_data.two.id
}
moved {
  to = terraform_data.two
}
