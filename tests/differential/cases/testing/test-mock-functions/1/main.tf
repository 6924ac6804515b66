terraform {
  required_providers {
    local = { source = "hashicorp/local" }
  }
}

resource "local_file" "f" {
  filename = "x"
  content  = "c"
}

data "local_file" "d" {
  filename = "q"
}

module "m" {
  source = "./m"
}

output "h" {
  value = local_file.f.content_md5
}

output "d" {
  value = data.local_file.d.content
}

output "m" {
  value = module.m.out
}
