variable "unset" {
  type    = string
  default = null
}

variable "any" {
  type = list(string)
}

resource "terraform_data" "fine" {
  connection {
    host = var.unset
  }
  provisioner "remote-exec" {
    inline = var.any
    script = var.unset
  }
  provisioner "file" {
    source      = var.unset
    content     = terraform_data.other.output
    destination = "/nowhere"
  }
}

resource "terraform_data" "other" {
  input = "x"
}
