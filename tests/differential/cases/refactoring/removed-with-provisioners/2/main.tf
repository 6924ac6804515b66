module "m" {
  source = "./m"
}
removed {
  from = terraform_data.single
  lifecycle {
    destroy = false
  }
  provisioner "local-exec" {
    when    = destroy
    command = "echo never"
  }
}
removed {
  from = terraform_data.each
  lifecycle {
    destroy = true
  }
  provisioner "local-exec" {
    command = "echo no when"
  }
}
