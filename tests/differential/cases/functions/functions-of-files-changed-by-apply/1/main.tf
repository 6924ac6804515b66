resource "terraform_data" "path" {
  input = "x.txt"
  provisioner "local-exec" {
    command = "printf first > x.txt"
  }
}

resource "terraform_data" "first" {
  input  = file(terraform_data.path.output)
  provisioner "local-exec" {
    command = "printf second > x.txt"
  }
}

resource "terraform_data" "later" {
  input = {
    text = file(terraform_data.path.output)
  }
  depends_on = [terraform_data.first]
}

resource "terraform_data" "other" {
  input      = file("./${terraform_data.path.output}")
  depends_on = [terraform_data.first]
}
