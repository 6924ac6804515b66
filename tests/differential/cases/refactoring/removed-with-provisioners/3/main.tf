removed {
  from = module.m.terraform_data.in
  lifecycle {
    destroy = true
  }
  provisioner "local-exec" {
    when    = destroy
    command = "echo ${self.output} ${count.index} > log-${self.input}.txt"
  }
}
removed {
  from = terraform_data.single
  lifecycle {
    destroy = true
  }
  provisioner "local-exec" {
    when    = destroy
    command = "echo ${self.id == "" ? "empty" : "id"} > log-single.txt"
  }
  provisioner "local-exec" {
    when       = destroy
    command    = "exit 3"
    on_failure = continue
  }
}
removed {
  from = terraform_data.each
  lifecycle {
    destroy = true
  }
  provisioner "local-exec" {
    when    = destroy
    command = "echo ${each.key} > log-${each.key}.txt"
  }
}
removed {
  from = terraform_data.fails
  lifecycle {
    destroy = true
  }
  provisioner "local-exec" {
    when    = destroy
    command = "exit 4"
  }
}
