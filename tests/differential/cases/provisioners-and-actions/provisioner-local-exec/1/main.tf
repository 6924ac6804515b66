resource "terraform_data" "counted" {
  count = 2
  input = "v${count.index}"

  provisioner "local-exec" {
    command     = "echo \"$GREETING ${self.input} ${count.index}\" >> ${path.module}/created-${count.index}.txt"
    environment = {
      GREETING = "hello"
      UNSET    = null
    }
  }

  provisioner "local-exec" {
    when    = destroy
    command = "echo ${self.output} ${count.index} ${terraform.workspace} >> destroyed-${count.index}.txt"
  }
}

resource "terraform_data" "each" {
  for_each = { a = "x" }
  input    = each.value

  provisioner "local-exec" {
    command     = "printf '%s' \"$0 ${each.key} ${each.value} ${self.id != ""}\" > each.txt"
    interpreter = ["/bin/bash", "-c"]
    quiet       = true
  }

  provisioner "local-exec" {
    when        = destroy
    working_dir = "sub"
    command     = "ls"
  }
}
