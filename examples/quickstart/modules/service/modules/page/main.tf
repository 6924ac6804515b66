terraform {
  required_providers {
    local = {
      source = "hashicorp/local"
    }
  }
}

variable "filename" {
  type = string
}

variable "title" {
  type = string
}

variable "address" {
  type = string
}

variable "replicas" {
  type = list(string)
}

variable "labels" {
  type    = map(string)
  default = {}
}

resource "local_file" "page" {
  filename        = var.filename
  file_permission = "0644"

  content = templatefile("${path.module}/templates/page.md.tftpl", {
    title    = var.title
    address  = var.address
    replicas = var.replicas
    labels   = var.labels
  })
}

output "filename" {
  value = local_file.page.filename
}
