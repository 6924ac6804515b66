resource "terraform_data" "counted" {
  count = 2
  input = "w${count.index}"

  provisioner "local-exec" {
    command = "echo again >> ${path.module}/created-${count.index}.txt"
  }

  provisioner "local-exec" {
    when    = destroy
    command = "echo ${self.output} ${count.index} >> destroyed-${count.index}.txt"
  }
}

resource "terraform_data" "each" {
  for_each         = { a = "x" }
  input            = each.value
  triggers_replace = "other"

  provisioner "local-exec" {
    when    = destroy
    command = "echo replaced >> each.txt"
  }
}
