terraform {
  required_providers {
    examplecloud = {
      source = "registry.example.com/examplecorp/example-cloud"
    }
  }
}

provider "examplecloud" {
  directory = "${path.module}/items"
}

resource "examplecloud_item" "shopping" {
  name = "shopping"
  text = "Milk and bread"
  tags = { urgent = "yes" }
}

data "examplecloud_items" "all" {
  depends_on = [examplecloud_item.shopping]
}

output "names" {
  value = [for item in data.examplecloud_items.all.items : provider::examplecloud::slug(item.name)]
}
