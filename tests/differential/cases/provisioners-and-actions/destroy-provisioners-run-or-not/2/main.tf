variable "v" {
  default = "1"
}
variable "n" {
  default = 2
}
resource "terraform_data" "counted" {
  count = var.n
  input = "counted"
  provisioner "local-exec" {
    when    = destroy
    command = "echo ${count.index} > counted${count.index}.txt"
  }
}
resource "terraform_data" "tainted" {
  input = "tainted"
  provisioner "local-exec" {
    when    = destroy
    command = "echo tainted > tainted.txt"
  }
}
resource "terraform_data" "replaced" {
  triggers_replace = var.v
  provisioner "local-exec" {
    when    = destroy
    command = "echo ${self.triggers_replace} >> replaced.txt"
  }
}

resource "terraform_data" "zero" {
  count = 0
  provisioner "local-exec" {
    when    = destroy
    command = "echo zero > zero.txt"
  }
}
