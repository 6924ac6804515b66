resource "terraform_data" "whole" {}
