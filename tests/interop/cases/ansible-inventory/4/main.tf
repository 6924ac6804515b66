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
  default = { web = ["front"], cache = [] }
}

resource "ansible_host" "machine" {
  for_each = var.hosts

  name   = each.key
  groups = each.value
  variables = {
    ansible_user = "root"
    position     = index(keys(var.hosts), each.key)
  }
}

resource "ansible_group" "front" {
  name     = "front"
  children = [for host in ansible_host.machine : host.name if contains(host.groups, "front")]
  variables = {
    hosts = jsonencode(keys(ansible_host.machine))
  }
}

output "hosts" {
  value = ansible_host.machine
}

output "group" {
  value = ansible_group.front.id
}

moved {
  from = ansible_host.of
  to   = ansible_host.machine
}
