import {
  to = random_id.plain
  id = "p-9hUg"
}
resource "random_id" "plain" {
  byte_length = 4
}
import {
  to = random_id.replaced
  id = "p-9hUg"
}
resource "random_id" "replaced" {
  byte_length = 3
}
import {
  to = terraform_data.updated
  id = "known"
}
resource "terraform_data" "updated" {
  input = "new"
}
moved {
  from = terraform_data.old
  to   = terraform_data.new["a b"]
}
resource "terraform_data" "new" {
  for_each = toset(["a b"])
  input    = "same"
}
moved {
  from = terraform_data.old_changing
  to   = terraform_data.new_changing
}
resource "terraform_data" "new_changing" {
  input = "after"
}
moved {
  from = module.one
  to   = module.two[0]
}
module "two" {
  count  = 1
  source = "./m"
}
