removed {}
removed {
  from = terraform_data.a
}
removed {
  from = "terraform_data.a"
  lifecycle { destroy = false }
}
removed {
  from = terraform_data.a[0]
  lifecycle { destroy = false }
}
removed {
  from = module.a[0].terraform_data.b
  lifecycle { destroy = false }
}
removed {
  from = data.x.y
  lifecycle { destroy = false }
}
removed {
  from = terraform_data.b
  lifecycle { destroy = "x" }
}
removed {
  from = terraform_data.c
  lifecycle {}
}
removed {
  from = terraform_data.d
  lifecycle { 
    destroy = true 
    prevent_destroy = true
  }
  lifecycle { destroy = true }
}
removed {
  from = terraform_data.e
  foo = 1
  lifecycle { destroy = var.x }
  connection { host = "x" }
  connection { host = "y" }
  provisioner "local-exec" { command = "x" }
  provisioner "local-exec" { 
    command = "x" 
    when = destroy
  }
  provisioner "local-exec" { 
    command = "${self.id} ${var.x}"
    when = create
  }
  blah {}
}
removed {
  from = module.x
  lifecycle { destroy = true }
  provisioner "local-exec" { 
    command = "x" 
    when = destroy
  }
}
removed "a" {
  from = module.x
}
removed {
  from = foo()
}
removed {
  from = var.x
}
removed {
  from = terraform_data.a.b
}
