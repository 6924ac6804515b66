moved {}
moved {
  from = terraform_data.a
}
moved {
  from = "terraform_data.a"
  to = "terraform_data.b"
}
moved {
  from = terraform_data.a.id
  to = foo()
}
moved {
  from = data.x.y
  to = data.x.z
}
moved {
  from = module.a
  to = terraform_data.b
}
moved {
  from = terraform_data.a[*]
  to = terraform_data.b[each.key]
}
moved {
  from = terraform_data
  to = terraform_data.b
  foo = 1
}
moved "x" {
  from = terraform_data.c
  to = terraform_data.d
}
moved {
  from = var.x
  to = local.y
}
moved {
  from = module.a.data.x.y
  to = module.b
}
moved {
  from = terraform_data.x["${"a"}"]
  to = terraform_data.x[1.5]
}
moved {
  from = terraform_data.x[-1]
  to = module.x[0].terraform_data.y[0]
}
moved {
  from = data.a.b
  to = terraform_data.b
}
