locals {
  a = 1
}}
