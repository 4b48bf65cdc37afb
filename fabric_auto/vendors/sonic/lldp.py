"""LLDP on SONiC needs no configuration.

lldpd runs by default on every port, and lldpmgrd announces ``PORT.alias`` as the port ID (subtype local) and
``PORT.description`` as the port description (sonic-buildimage, dockers/docker-lldp/lldpmgrd). The tables ``LLDP`` and
``LLDP_PORT`` have YANG, but nothing in the images of 202505, 202511 and 202605 reads them, so they are not emitted.
"""
