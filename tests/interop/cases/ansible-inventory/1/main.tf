terraform {
  required_providers {
    ansible = {
      source  = "ansible/ansible"
      version = "1.3.0"
    }
  }
}

variable "hosts" {
  type    = map(list(string))
  default = { web = ["front", "all"], db = [] }
}

resource "ansible_host" "of" {
  for_each = var.hosts

  name   = each.key
  groups = each.value
  variables = {
    ansible_user = "deploy"
    position     = index(keys(var.hosts), each.key)
  }
}

resource "ansible_group" "front" {
  name     = "front"
  children = [for host in ansible_host.of : host.name if contains(host.groups, "front")]
  variables = {
    hosts = jsonencode(keys(ansible_host.of))
  }
}

output "hosts" {
  value = ansible_host.of
}

output "group" {
  value = ansible_group.front.id
}
